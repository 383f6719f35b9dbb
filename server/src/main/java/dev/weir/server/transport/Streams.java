package dev.weir.server.transport;

import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.EventLoop;
import io.netty.handler.codec.http2.Http2ConnectionHandler;
import io.netty.util.AttributeKey;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.impl.HttpServerConnection;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Bounds the streams of HTTP/2 of all connections together, and the time for which a client may
 * leave them open.
 *
 * <p>A client that opens no window gets no answers, one that does not end its request keeps the
 * stream after the answer, and each of its streams keeps its memory; what a connection may have at
 * a time is no bound for many connections. So each event loop has its part of a total, by the
 * memory of the process. Where a new stream finds no room, older ones are reset for it: were it
 * refused, whoever parks enough streams would keep all others out. A stream that only its client
 * keeps open is reset in any case after a while.
 */
public final class Streams {
  private static final AttributeKey<TrackedConnection> KEY =
      AttributeKey.valueOf(Streams.class, "tracked");

  private static final int PART_OF_HEAP = 4;
  private static final int MIN_PER_LOOP = 1_024;

  /** Far longer than any answer takes. */
  static final long MAX_AGE_NANOS = TimeUnit.SECONDS.toNanos(30);

  private volatile long nowNanos = System.nanoTime();
  private final long maxBytesPerLoop;
  private final Map<EventLoop, LoopStreams> loops = new ConcurrentHashMap<>();

  /**
   * @param maxBytesPerLoop what the streams of an event loop may take
   */
  public Streams(long maxBytesPerLoop) {
    this.maxBytesPerLoop = maxBytesPerLoop;
  }

  /** A quarter of what this process may use. */
  public static Streams byHeap(int loops) {
    long part = Runtime.getRuntime().maxMemory() / PART_OF_HEAP / loops;
    return new Streams(Math.max((long) MIN_PER_LOOP * OpenStream.BYTES, part));
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
      LoopStreams loop =
          loops.computeIfAbsent(channel.eventLoop(), absent -> new LoopStreams(maxBytesPerLoop));
      channel.attr(KEY).set(new TrackedConnection(handler, context, loop, () -> nowNanos));
    }
  }

  /**
   * Makes room for a stream whose request has come; false if there is none, and it is to be
   * refused.
   *
   * @param headerBytes what its headers take
   */
  public boolean admit(HttpServerRequest request, long headerBytes) {
    TrackedConnection tracked = tracked(request);
    return tracked == null || tracked.admit(request.streamId(), headerBytes);
  }

  /**
   * Lets a stream live on, for it has no end by its nature; false if there are too many such, and
   * it is to be refused.
   */
  public static boolean keep(HttpServerRequest request) {
    TrackedConnection tracked = tracked(request);
    return tracked == null || tracked.keep(request.streamId());
  }

  private static @Nullable TrackedConnection tracked(HttpServerRequest request) {
    return request.connection() instanceof HttpServerConnection own
        ? own.channelHandlerContext().channel().attr(KEY).get()
        : null;
  }

  /** Resets what is too old. Call it every few seconds. */
  public void sweep() {
    sweep(System.nanoTime());
  }

  /**
   * The same for another time.
   *
   * @param now by {@link System#nanoTime}
   */
  public void sweep(long now) {
    nowNanos = now;
    loops.forEach((loop, streams) -> loop.execute(() -> streams.endOlder(now - MAX_AGE_NANOS)));
  }
}
