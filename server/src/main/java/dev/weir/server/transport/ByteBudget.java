package dev.weir.server.transport;

import java.util.concurrent.atomic.AtomicLong;

/**
 * How many bytes of requests that have arrived in part are kept, of all connections together. A
 * bound for each request alone is none for a thousand of them.
 */
public final class ByteBudget {
  private static final long MIN_BYTES = 8L << 20;
  private static final long MAX_BYTES = 256L << 20;
  private static final int PART_OF_HEAP = 8;

  /** So much of a request is not counted: it is bounded by the number of requests. */
  static final int FREE_BYTES = 4 << 10;

  private final long maxBytes;
  private final AtomicLong used = new AtomicLong();

  public ByteBudget(long maxBytes) {
    this.maxBytes = maxBytes;
  }

  /** An eighth of what this process may use. */
  public static ByteBudget byHeap() {
    long part = Runtime.getRuntime().maxMemory() / PART_OF_HEAP;
    return new ByteBudget(Math.min(MAX_BYTES, Math.max(MIN_BYTES, part)));
  }

  /** How much of it is in use. */
  public long used() {
    return used.get();
  }

  /** A part of it for one request, which grows as more of the request arrives. */
  public Share share() {
    return new Share();
  }

  /** What one request has. Used by one thread at a time. */
  public final class Share {
    private long bytes;
    private boolean ended;

    /** Whether there is room for more; if not, what it has stays its own until it ends. */
    public boolean grow(int more) {
      if (ended) {
        return false;
      }
      long counted = counted(bytes + more) - counted(bytes);
      if (counted > 0 && used.addAndGet(counted) > maxBytes) {
        used.addAndGet(-counted);
        return false;
      }
      bytes += more;
      return true;
    }

    /** Gives back all of it, the first time. */
    public void end() {
      if (!ended) {
        ended = true;
        if (counted(bytes) > 0) {
          used.addAndGet(-counted(bytes));
        }
      }
    }

    private static long counted(long bytes) {
      return Math.max(0, bytes - FREE_BYTES);
    }
  }
}
