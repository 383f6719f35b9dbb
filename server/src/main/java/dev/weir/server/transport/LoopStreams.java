package dev.weir.server.transport;

import org.jspecify.annotations.Nullable;

/**
 * The open streams of one event loop, by age, and what they take. Touched by its thread only, and
 * so a call pays for no shared counter.
 */
final class LoopStreams {
  /** Of so many of the oldest, the one goes whose connection has most. */
  private static final int CANDIDATES = 32;

  /** One request makes room by ending so many others at most. */
  private static final int MAX_ENDED = 64;

  private static final int PART_OF_ENDLESS = 8;

  private final long maxBytes;
  private long bytes;

  /** What those of them take whose connection is being closed. */
  private long goingBytes;

  private long endlessBytes;
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

  /** Forgets one that is closed. */
  void remove(OpenStream stream) {
    grow(stream, -stream.bytes);
    if (stream.endless) {
      endlessBytes -= stream.bytes;
    } else if (!stream.ended) {
      unlink(stream);
    }
  }

  private void grow(OpenStream stream, long more) {
    TrackedConnection connection = stream.connection;
    bytes += more;
    connection.bytes += more;
    goingBytes += connection.isClosing() ? more : 0;
  }

  /** Notes that a connection is about to be closed, and all its streams with it. */
  void closes(TrackedConnection connection) {
    goingBytes += connection.bytes;
  }

  /** Ends no more than once what takes part until it is closed. */
  void end(OpenStream stream) {
    stream.ended = true;
    if (!stream.endless) {
      unlink(stream);
    }
  }

  /**
   * Whether there is room for one more that nobody has made room for yet: some are still there that
   * are about to be closed, by themselves or with their connection.
   */
  boolean hasRoom() {
    return bytes <= 2 * maxBytes + Math.min(goingBytes, 2 * maxBytes);
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

  /** Notes what a stream takes, and makes room for it; false if there is none. */
  boolean admit(OpenStream stream, long itsBytes) {
    grow(stream, itsBytes - stream.bytes);
    stream.bytes = itsBytes;
    for (int ended = 0; bytes - goingBytes > maxBytes; ended++) {
      OpenStream other = ended < MAX_ENDED ? mostDispensable(stream) : null;
      if (other == null) {
        return false;
      }
      other.connection.end(other);
    }
    return true;
  }

  /**
   * A call lasts for milliseconds, as a rule: what is old waits for its client. Of the oldest, a
   * stream of the connection that has most of them.
   */
  private @Nullable OpenStream mostDispensable(OpenStream asking) {
    OpenStream found = null;
    OpenStream one = oldest;
    for (int i = 0; i < CANDIDATES && one != null; ) {
      OpenStream next = one.younger;
      if (one.connection.isClosing()) {
        end(one);
      } else {
        boolean larger = found == null || one.connection.open() > found.connection.open();
        found = one != asking && larger ? one : found;
        i++;
      }
      one = next;
    }
    return found;
  }

  /** Lets a stream live on, if there are not too many such. */
  boolean keep(OpenStream stream) {
    if (!stream.endless && endlessBytes + stream.bytes > maxBytes / PART_OF_ENDLESS) {
      return false;
    }
    if (!stream.endless) {
      unlink(stream);
      stream.endless = true;
      endlessBytes += stream.bytes;
    }
    return true;
  }

  /** Ends what began before and waits for its client. */
  void endOlder(long nanos) {
    OpenStream one = oldest;
    while (one != null && one.sinceNanos - nanos < 0) {
      OpenStream next = one.younger;
      one.connection.endIfItWaits(one);
      one = next;
    }
  }
}
