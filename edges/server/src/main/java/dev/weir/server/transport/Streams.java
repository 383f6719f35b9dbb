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
 * Bounds the HTTP/2 streams of all connections together, and the time for which a client may leave
 * them open. Thread-safe, except as said below.
 *
 * <p>A client that opens no flow-control window gets no response, and one that does not end its
 * request keeps the stream after the response; each such stream holds memory. The maximum number of
 * concurrent streams per connection is no bound for many connections. So each event loop has a part
 * of a total that depends on the heap. If there is no room for a new stream, older ones are reset
 * for it: if the new one were rejected, a client could shut out all others by parking enough
 * streams. A stream that only its client keeps open is reset after a while in any case.
 */
public final class Streams {
  private static final AttributeKey<TrackedConnection> KEY =
      AttributeKey.valueOf(Streams.class, "tracked");

  private static final int HEAP_DIVISOR = 4;
  private static final int MIN_PER_LOOP = 1_024;

  /** Far longer than any response takes. */
  static final long MAX_AGE_NANOS = TimeUnit.SECONDS.toNanos(30);

  private volatile long nowNanos = System.nanoTime();
  private final long maxBytesPerLoop;
  private final Map<EventLoop, LoopStreams> loops = new ConcurrentHashMap<>();

  /**
   * Begins without connections.
   *
   * @param maxBytesPerLoop the maximum memory of the streams of an event loop
   */
  public Streams(long maxBytesPerLoop) {
    this.maxBytesPerLoop = maxBytesPerLoop;
  }

  /** Bounds by a quarter of the maximum heap, divided by the number of event loops. */
  public static Streams byHeap(int loops) {
    long part = Runtime.getRuntime().maxMemory() / HEAP_DIVISOR / loops;
    return new Streams(Math.max((long) MIN_PER_LOOP * OpenStream.BYTES, part));
  }

  /** Tracks the streams of a connection. Call it on the event loop of the connection. */
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
   * Makes room for the stream of a request. Call it on the event loop of the connection.
   *
   * @param headerBytes the memory of its headers
   * @return false if there is no room, and the stream must be refused
   */
  public boolean admit(HttpServerRequest request, long headerBytes) {
    TrackedConnection tracked = tracked(request);
    return tracked == null || tracked.admit(request.streamId(), headerBytes);
  }

  /**
   * Exempts the stream of a long-lived call from eviction and timeout. Call it on the event loop of
   * the connection.
   *
   * @return false if there are too many such streams, and this one must be refused
   */
  public static boolean markLongLived(HttpServerRequest request) {
    TrackedConnection tracked = tracked(request);
    return tracked == null || tracked.markLongLived(request.streamId());
  }

  /**
   * Leaves the time of a stream to the edge that proxies it: a response may take long, and its
   * client is not to blame. Call it on the event loop of the connection.
   */
  public static void markProxied(HttpServerRequest request) {
    TrackedConnection tracked = tracked(request);
    if (tracked != null) {
      tracked.markProxied(request.streamId());
    }
  }

  /**
   * Whether the client has sent all of a request by the end of its headers, so that there is no
   * body. Call it on the event loop of the connection.
   */
  public static boolean hasNoBody(HttpServerRequest request) {
    TrackedConnection tracked = tracked(request);
    return tracked != null && tracked.isRemoteClosed(request.streamId());
  }

  private static @Nullable TrackedConnection tracked(HttpServerRequest request) {
    return request.connection() instanceof HttpServerConnection own
        ? own.channelHandlerContext().channel().attr(KEY).get()
        : null;
  }

  /** Resets abandoned streams. Call it every few seconds, on any thread. */
  public void sweep() {
    sweep(System.nanoTime());
  }

  /**
   * Resets abandoned streams as of a given time.
   *
   * @param now the time by {@link System#nanoTime}
   */
  public void sweep(long now) {
    nowNanos = now;
    loops.forEach(
        (loop, streams) -> loop.execute(() -> streams.resetAbandoned(now - MAX_AGE_NANOS)));
  }
}
