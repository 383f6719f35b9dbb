package dev.weir.replay.measure;

/**
 * Recognises retries after denials that a log records.
 *
 * <p>A request is a retry if its caller asked for the same before, was answered with 429, and
 * waited at most 10 seconds; at most twice as long after each further 429 in a row, and never more
 * than a minute. Logs do not have {@code Retry-After}; a client that waits longer counts as one
 * that comes anew.
 *
 * <p>The table has a fixed size: where callers meet in a cell, the later one is remembered. Not
 * safe for use by several threads.
 */
public final class RetryDetector {
  /** How long a client waits at most after a first 429. */
  public static final long FIRST_WAIT_MICROS = 10_000_000L;

  /** How long a client waits at most. */
  public static final long MAX_WAIT_MICROS = 60_000_000L;

  private static final int CELLS = 1 << 18;
  private static final int TOO_MANY_REQUESTS = 429;
  private static final int MAX_DOUBLINGS = 3;

  private final long[] keys = new long[CELLS];
  private final long[] deniedAt = new long[CELLS];
  private final byte[] inARow = new byte[CELLS];
  private long lastDenialMicros = Long.MIN_VALUE / 2;
  private long denied;
  private long retries;

  /** Whether a request can be a retry, or be followed by one; if not, it needs no hash. */
  public boolean isNear(int status, long micros) {
    return status == TOO_MANY_REQUESTS || micros - lastDenialMicros <= MAX_WAIT_MICROS;
  }

  /**
   * Whether a request is a retry.
   *
   * @param hash of its caller, method and target
   * @param status of its response
   */
  public boolean isRetry(long hash, int status, long micros) {
    int cell = (int) (hash >>> 20) & CELLS - 1;
    boolean known = keys[cell] == hash;
    long wait =
        known
            ? Math.min(
                MAX_WAIT_MICROS,
                FIRST_WAIT_MICROS << Math.min(MAX_DOUBLINGS, Math.max(0, inARow[cell] - 1)))
            : 0;
    boolean retry = known && micros - deniedAt[cell] <= wait;
    retries += retry ? 1 : 0;
    if (status == TOO_MANY_REQUESTS) {
      denied++;
      lastDenialMicros = micros;
      keys[cell] = hash;
      deniedAt[cell] = micros;
      inARow[cell] = (byte) (retry ? Math.min(MAX_DOUBLINGS + 1, inARow[cell] + 1) : 1);
    } else if (known) {
      keys[cell] = 0;
    }
    return retry;
  }

  /** How many requests were answered with 429. */
  public long denied() {
    return denied;
  }

  /** How many requests were retries. */
  public long retries() {
    return retries;
  }
}
