package dev.weir.server.transport;

import io.netty.handler.codec.http2.Http2Stream;
import org.jspecify.annotations.Nullable;

/** An open HTTP/2 stream. Confined to its event loop. */
final class OpenStream {
  /** A generous estimate of a stream with headers of usual size and a pending response. */
  static final int BYTES = 16 << 10;

  /** The headers that are part of {@link #BYTES}. */
  private static final int USUAL_HEADER_BYTES = 4 << 10;

  final TrackedConnection connection;
  final Http2Stream stream;
  final long sinceNanos;

  /** The estimated memory. */
  long bytes = BYTES;

  /** Whether this side has reset the stream, which may not be closed yet. */
  boolean ended;

  boolean closed;

  /** Whether the call is long-lived by design, such as a health watch. */
  boolean longLived;

  /** Whether an edge proxies it, and bounds its time itself. */
  boolean proxied;

  /** Whether the request headers have arrived: later headers are trailers. */
  boolean headersReceived;

  // The neighbours in the list of evictable streams.
  @Nullable OpenStream older;
  @Nullable OpenStream younger;

  OpenStream(TrackedConnection connection, Http2Stream stream, long sinceNanos) {
    this.connection = connection;
    this.stream = stream;
    this.sinceNanos = sinceNanos;
  }

  static long bytes(long headerBytes) {
    return BYTES + Math.max(0, headerBytes - USUAL_HEADER_BYTES);
  }
}
