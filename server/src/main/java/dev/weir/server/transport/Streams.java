package dev.weir.server.transport;

import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.EventLoop;
import io.netty.handler.codec.http2.Http2Connection;
import io.netty.handler.codec.http2.Http2ConnectionAdapter;
import io.netty.handler.codec.http2.Http2ConnectionHandler;
import io.netty.handler.codec.http2.Http2Error;
import io.netty.handler.codec.http2.Http2Exception;
import io.netty.handler.codec.http2.Http2Stream;
import io.netty.util.AttributeKey;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.impl.HttpServerConnection;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Bounds the streams of HTTP/2 of all connections together, and the time for which a client may
 * leave its answers with us.
 *
 * <p>A client that opens no window gets no answers, and each of its streams keeps its memory; what
 * a connection may have at a time is no bound for many connections. So each event loop has its part
 * of a total, by the memory of the process, and refuses what is beyond. A stream whose request is
 * whole and that has not ended long after is reset.
 *
 * <p>Counts are kept by event loop because only the loop's own thread touches them: a call pays for
 * no shared counter.
 */
public final class Streams {
  private static final AttributeKey<Tracked> KEY = AttributeKey.valueOf(Streams.class, "tracked");

  /** A stream with its headers and an answer that waits, amply. */
  private static final long BYTES_PER_STREAM = 16 << 10;

  private static final int PART_OF_HEAP = 4;
  private static final int MIN_PER_LOOP = 1_024;

  /** Far longer than any answer takes. */
  static final long MAX_AGE_NANOS = TimeUnit.SECONDS.toNanos(30);

  /**
   * When streams began, to a few seconds: one object for all of a while, so that none is made.
   *
   * @param endless whether it has no end by its nature
   */
  private record Age(long sinceNanos, boolean endless) {}

  private static final Age ENDLESS = new Age(0, true);

  private volatile Age now = new Age(System.nanoTime(), false);
  private final int maxPerLoop;
  private final Map<EventLoop, Count> counts = new ConcurrentHashMap<>();
  private final Set<Tracked> connections = ConcurrentHashMap.newKeySet();

  /** The streams of one event loop; touched by its thread only. */
  private static final class Count {
    int open;
  }

  Streams(int maxPerLoop) {
    this.maxPerLoop = maxPerLoop;
  }

  /** A quarter of what this process may use. */
  public static Streams byHeap(int loops) {
    long total = Runtime.getRuntime().maxMemory() / PART_OF_HEAP / BYTES_PER_STREAM;
    return new Streams((int) Math.min(Integer.MAX_VALUE, Math.max(MIN_PER_LOOP, total / loops)));
  }

  /** Counts the streams of a connection from now on. Called on its event loop. */
  public void track(HttpConnection connection) {
    if (!(connection instanceof HttpServerConnection own)) {
      return;
    }
    ChannelHandlerContext context = own.channelHandlerContext();
    Http2ConnectionHandler handler = context.pipeline().get(Http2ConnectionHandler.class);
    if (handler != null) {
      Channel channel = context.channel();
      Count count = counts.computeIfAbsent(channel.eventLoop(), absent -> new Count());
      Tracked tracked = new Tracked(handler, context, count);
      channel.attr(KEY).set(tracked);
      connections.add(tracked);
      channel.closeFuture().addListener(closed -> connections.remove(tracked));
    }
  }

  /** Whether there are too many streams for one more, which is to be refused. */
  public boolean isFull(HttpServerRequest request) {
    Tracked tracked = tracked(request);
    return tracked != null && tracked.count.open > maxPerLoop;
  }

  /** Lets a stream live on: it has no end by its nature. */
  public static void keep(HttpServerRequest request) {
    Tracked tracked = tracked(request);
    if (tracked != null) {
      tracked.keep(request.streamId());
    }
  }

  private static @Nullable Tracked tracked(HttpServerRequest request) {
    return request.connection() instanceof HttpServerConnection own
        ? own.channelHandlerContext().channel().attr(KEY).get()
        : null;
  }

  /** Resets what is too old. Call it every few seconds. */
  public void sweep() {
    sweep(System.nanoTime());
  }

  void sweep(long nowNanos) {
    now = new Age(nowNanos, false);
    for (Tracked connection : connections) {
      connection.context.executor().execute(() -> connection.resetOlder(nowNanos - MAX_AGE_NANOS));
    }
  }

  int connections() {
    return connections.size();
  }

  /** One connection; touched by its event loop only. */
  private final class Tracked extends Http2ConnectionAdapter {
    private final Http2ConnectionHandler handler;
    private final ChannelHandlerContext context;
    private final Http2Connection.PropertyKey since;
    private final Count count;

    Tracked(Http2ConnectionHandler handler, ChannelHandlerContext context, Count count) {
      this.handler = handler;
      this.context = context;
      this.count = count;
      this.since = handler.connection().newKey();
      handler.connection().addListener(this);
    }

    @Override
    public void onStreamActive(Http2Stream stream) {
      count.open++;
      stream.setProperty(since, now);
    }

    @Override
    public void onStreamClosed(Http2Stream stream) {
      if (stream.removeProperty(since) != null) {
        count.open--;
      }
    }

    void keep(int id) {
      Http2Stream stream = handler.connection().stream(id);
      if (stream != null) {
        stream.setProperty(since, ENDLESS);
      }
    }

    void resetOlder(long nanos) {
      List<Http2Stream> old = new ArrayList<>();
      try {
        handler
            .connection()
            .forEachActiveStream(
                stream -> {
                  Age began = stream.getProperty(since);
                  boolean ends = began != null && !began.endless;
                  boolean aged = ends && began.sinceNanos - nanos < 0;
                  if (aged && stream.state() == Http2Stream.State.HALF_CLOSED_REMOTE) {
                    old.add(stream);
                  }
                  return true;
                });
      } catch (Http2Exception e) {
        throw new IllegalStateException(e); // only what visits them throws it
      }
      for (Http2Stream stream : old) {
        var unused =
            handler.resetStream(
                context, stream.id(), Http2Error.CANCEL.code(), context.newPromise());
      }
      if (!old.isEmpty()) {
        context.flush();
      }
    }
  }
}
