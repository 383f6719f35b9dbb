package dev.weir.server.transport;

import org.jspecify.annotations.Nullable;

/**
 * The open HTTP/2 streams of one event loop, by age, and the memory they use. Confined to the
 * thread of the loop, so that a call costs no shared counter.
 */
final class LoopStreams {
  /** The victim is chosen among so many of the oldest streams. */
  private static final int CANDIDATES = 32;

  /** The maximum number of streams that are reset to admit one request. */
  private static final int MAX_ENDED = 64;

  private static final int LONG_LIVED_DIVISOR = 8;

  private final long maxBytes;
  private long bytes;

  /** The part of {@link #bytes} that belongs to connections that are closing. */
  private long closingBytes;

  private long longLivedBytes;
  private @Nullable OpenStream oldest;
  private @Nullable OpenStream youngest;

  LoopStreams(long maxBytes) {
    this.maxBytes = maxBytes;
  }

  long bytes() {
    return bytes;
  }

  void add(OpenStream stream) {
    grow(stream, stream.bytes);
    stream.older = youngest;
    if (youngest == null) {
      oldest = stream;
    } else {
      youngest.younger = stream;
    }
    youngest = stream;
  }

  /** Removes a stream that is closed. */
  void remove(OpenStream stream) {
    grow(stream, -stream.bytes);
    if (stream.longLived) {
      longLivedBytes -= stream.bytes;
    } else if (!stream.ended) {
      unlink(stream);
    }
  }

  private void grow(OpenStream stream, long more) {
    TrackedConnection connection = stream.connection;
    bytes += more;
    connection.bytes += more;
    closingBytes += connection.isClosing() ? more : 0;
  }

  /** Records that a connection is about to be closed, with all its streams. */
  void onClosing(TrackedConnection connection) {
    closingBytes += connection.bytes;
  }

  /** Marks a stream as ended, so that it is not chosen again; it counts until it is closed. */
  void markEnded(OpenStream stream) {
    stream.ended = true;
    if (!stream.longLived) {
      unlink(stream);
    }
  }

  /**
   * Whether there is room for one more stream before others are reset for it. The bound is higher
   * than {@code maxBytes}, because some streams are about to close, alone or with their connection.
   */
  boolean hasRoom() {
    return bytes <= 2 * maxBytes + Math.min(closingBytes, 2 * maxBytes);
  }

  private void unlink(OpenStream stream) {
    OpenStream older = stream.older;
    OpenStream younger = stream.younger;
    if (older == null) {
      oldest = younger;
    } else {
      older.younger = younger;
    }
    if (younger == null) {
      youngest = older;
    } else {
      younger.older = older;
    }
    stream.older = null;
    stream.younger = null;
  }

  /** Records the size of a stream and makes room for it; false if there is none. */
  boolean admit(OpenStream stream, long size) {
    grow(stream, size - stream.bytes);
    stream.bytes = size;
    for (int ended = 0; bytes - closingBytes > maxBytes; ended++) {
      OpenStream other = ended < MAX_ENDED ? chooseVictim(stream) : null;
      if (other == null) {
        return false;
      }
      other.connection.evict(other);
    }
    return true;
  }

  /**
   * Chooses the stream to reset: among the oldest, one of the connection with the most streams.
   * Calls usually last milliseconds, so an old stream waits for its client.
   */
  private @Nullable OpenStream chooseVictim(OpenStream newcomer) {
    OpenStream found = null;
    OpenStream one = oldest;
    for (int i = 0; i < CANDIDATES && one != null; ) {
      OpenStream next = one.younger;
      if (one.connection.isClosing()) {
        markEnded(one);
      } else {
        boolean larger = found == null || one.connection.open() > found.connection.open();
        found = one != newcomer && larger ? one : found;
        i++;
      }
      one = next;
    }
    return found;
  }

  /** Exempts a long-lived stream from eviction; false if there are too many of them. */
  boolean markLongLived(OpenStream stream) {
    if (!stream.longLived && longLivedBytes + stream.bytes > maxBytes / LONG_LIVED_DIVISOR) {
      return false;
    }
    if (!stream.longLived) {
      unlink(stream);
      stream.longLived = true;
      longLivedBytes += stream.bytes;
    }
    return true;
  }

  /** Resets streams that began before a time and wait for their client. */
  void resetAbandoned(long nanos) {
    OpenStream one = oldest;
    while (one != null && one.sinceNanos - nanos < 0) {
      OpenStream next = one.younger;
      one.connection.resetIfAbandoned(one);
      one = next;
    }
  }
}
