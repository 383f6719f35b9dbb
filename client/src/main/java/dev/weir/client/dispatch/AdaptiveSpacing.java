package dev.weir.client.dispatch;

/**
 * The time between requests that a client learns from denials: for limits that it shares with
 * others, or that no header describes.
 *
 * <p>A denial doubles it, or more if few requests were admitted since the last denial. Each
 * admitted request shortens it by the time since the last one in parts of {@value
 * #RECOVERY_SECONDS} s, but at most by 1/{@value #MAX_RECOVERY}. So in the long run a client is
 * denied about once a minute, or once in {@value #MAX_RECOVERY} requests if it sends seldom,
 * whatever the limit and however many share it. Since clients that send often are denied more
 * often, but do not recover faster, their shares approach each other. Requests that were sent
 * before the last denial do not count again: they are denied for the same reason. Not thread-safe.
 */
final class AdaptiveSpacing {
  private static final int RECOVERY_SECONDS = 80;
  private static final long RECOVERY_NANOS = RECOVERY_SECONDS * 1_000_000_000L;
  private static final int MAX_RECOVERY = 16;

  /** How many times the doubled spacing the average since the last denial can be believed. */
  private static final int MAX_STEP = 8;

  /** After how many times the spacing without a request the spacing is forgotten. */
  private static final int IDLE_SPACINGS = 10;

  private static final long MIN_NANOS = 1_000_000;

  private final long maxNanos;
  private long nanos;
  private long deniedNanos;
  private long recoveredNanos;

  /** Until when requests were held back because of the last denial; those admitted since then. */
  private long resumedNanos;

  private long admitted;

  AdaptiveSpacing(long maxNanos, long nowNanos) {
    this.maxNanos = maxNanos;
    this.deniedNanos = nowNanos;
    this.recoveredNanos = nowNanos;
    this.resumedNanos = nowNanos;
  }

  long nanos() {
    return nanos;
  }

  /**
   * A request was denied.
   *
   * @param usualNanos the time between requests that the limit allows to a client that is alone; 0
   *     if it is unknown
   * @param waitNanos for how long no request is sent now
   */
  void onDenied(long sentNanos, long nowNanos, long usualNanos, long waitNanos) {
    if (nanos > 0 && sentNanos - deniedNanos <= 0) {
      return;
    }
    long resume = nowNanos + waitNanos;
    long average = admitted > 0 ? (resume - resumedNanos) / admitted : 0;
    long doubled = 2 * Math.max(nanos, Math.max(usualNanos, MIN_NANOS));
    nanos = Math.min(maxNanos, Math.max(doubled, Math.min(average, MAX_STEP * doubled)));
    deniedNanos = nowNanos;
    recoveredNanos = nowNanos;
    resumedNanos = resume;
    admitted = 0;
  }

  void onAdmitted(long nowNanos) {
    admitted++;
    long passed = Math.max(0, nowNanos - recoveredNanos);
    recoveredNanos = nowNanos;
    long part = Math.min(passed, RECOVERY_NANOS / MAX_RECOVERY);
    nanos -= (long) ((double) nanos * part / RECOVERY_NANOS);
    if (nanos <= MIN_NANOS) {
      nanos = 0;
    }
  }

  /** A client that had nothing to send for long does not know its share any more. */
  void onSend(long lastNanos, long nowNanos) {
    long since = Math.max(lastNanos - nowNanos, resumedNanos - nowNanos);
    if (-since > IDLE_SPACINGS * nanos) {
      nanos = 0;
    }
  }
}
