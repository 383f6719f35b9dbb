package dev.weir.server.transport;

import java.util.concurrent.atomic.AtomicLong;

/**
 * Bounds the bytes that are buffered for incomplete requests, over all connections. A bound per
 * request alone does not bound a thousand requests. Thread-safe.
 */
public final class ByteBudget {
  private static final long MIN_BYTES = 8L << 20;
  private static final long MAX_BYTES = 256L << 20;
  private static final int HEAP_DIVISOR = 8;

  /** The first bytes of a request are free: the number of requests bounds them. */
  static final int FREE_BYTES = 4 << 10;

  private final long maxBytes;
  private final AtomicLong used = new AtomicLong();

  /** A budget of {@code maxBytes}. */
  public ByteBudget(long maxBytes) {
    this.maxBytes = maxBytes;
  }

  /** A budget of an eighth of the maximum heap, within bounds. */
  public static ByteBudget byHeap() {
    long part = Runtime.getRuntime().maxMemory() / HEAP_DIVISOR;
    return new ByteBudget(Math.min(MAX_BYTES, Math.max(MIN_BYTES, part)));
  }

  /** The bytes in use. */
  public long used() {
    return used.get();
  }

  /** An empty share for one request, which grows as more of the request arrives. */
  public Share share() {
    return new Share();
  }

  /** The part of the budget that one request uses. For one thread at a time. */
  public final class Share {
    private long bytes;
    private boolean ended;

    /** Adds bytes if the budget has room; if not, the share keeps its size until it ends. */
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

    /** Returns all bytes to the budget; calls after the first do nothing. */
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
