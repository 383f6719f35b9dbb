package dev.weir.server.transport;

import io.netty.handler.codec.http2.Http2Stream;
import org.jspecify.annotations.Nullable;

/** A stream of HTTP/2 that is open. Touched by its event loop only. */
final class OpenStream {
  /** A stream with headers of the usual size and an answer that waits, amply. */
  static final int BYTES = 16 << 10;

  /** Headers of which a stream has room in that. */
  private static final int USUAL_HEADER_BYTES = 4 << 10;

  final TrackedConnection connection;
  final Http2Stream stream;
  final long sinceNanos;

  /** What it takes of the memory, as far as is known. */
  long bytes = BYTES;

  /** Whether it was ended from this side; it may not be closed yet. */
  boolean ended;

  boolean closed;

  /** Whether it has no end by its nature. */
  boolean endless;

  /** Whether its request has come: what follows are trailers. */
  boolean headed;

  // The neighbours in the list of those that are to end.
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
