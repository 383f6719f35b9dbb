package dev.weir.client.dispatch;

import dev.weir.client.header.Quota;
import java.util.Comparator;
import org.jspecify.annotations.Nullable;

/**
 * The client's own copy of the counter that a server advertises: each response sets it, each
 * request counts it down, and it starts anew when the window is over.
 *
 * <p>While most of the limit is left, requests are not spaced. The last fifth is spent at the
 * average rate of the limit, and so is the whole next window, since a client that needs a limit up
 * to its end would otherwise send in bursts. When nothing is left, the next request waits until
 * there is more. If the moment at which there is more moves with each request, the limit has no
 * windows, but a bucket or a sliding window: then something comes back all the time, and the wait
 * is that of the average rate. Not thread-safe.
 */
final class QuotaMirror {
  private static final int LOW_SHARE = 5;

  /** What is low if the server does not say how much its limit allows. */
  private static final int LOW_REQUESTS = 4;

  /** Whole seconds in headers, and slow responses, make a moment seem later by less than this. */
  private static final long ROUNDING_NANOS = 2_000_000_000;

  /**
   * Which of the limits in a response says most about the next request: one that is spent, the
   * longest first; then one that is low; then the one with the largest spacing.
   */
  static final Comparator<Quota> TIGHTNESS =
      Comparator.comparingLong((Quota each) -> each.remaining() == 0 ? each.resetNanos() : -1)
          .thenComparing(each -> isLow(each, each.remaining()))
          .thenComparingLong(Quota::spacingNanos);

  private @Nullable Quota quota;
  private long left;
  private long resetNanos;

  /** When the current window ends, by the first response in it. */
  private long firstResetNanos;

  private boolean sliding;
  private boolean wasLow;
  private boolean spread;

  /**
   * Takes over what a response says.
   *
   * @param later the requests that were sent after the one with this response
   */
  void update(Quota advertised, long later, long nowNanos) {
    long reset = nowNanos + advertised.resetNanos();
    boolean other = quota == null || !isSameLimit(quota, advertised);
    if (other || nowNanos - firstResetNanos >= -ROUNDING_NANOS) {
      firstResetNanos = reset;
      sliding &= !other;
    } else {
      sliding |= reset - firstResetNanos > ROUNDING_NANOS;
    }
    quota = advertised;
    left = advertised.remaining() - later;
    resetNanos = reset;
    wasLow |= isLow(advertised, left);
  }

  private static boolean isSameLimit(Quota one, Quota other) {
    return one.permits().equals(other.permits()) && one.windowNanos().equals(other.windowNanos());
  }

  /** A request is sent. */
  void onSend(long nowNanos) {
    Quota known = quota;
    if (known == null) {
      return;
    }
    if (nowNanos - resetNanos >= 0) {
      beginWindow(known, nowNanos);
    }
    left--;
    wasLow |= isLow(known, left);
  }

  private void beginWindow(Quota known, long nowNanos) {
    long windowNanos = known.windowNanos().orElse(known.resetNanos());
    spread = wasLow;
    wasLow = false;
    if (known.permits().isEmpty() || windowNanos == 0) {
      quota = null;
    } else {
      left = known.permits().getAsLong();
      resetNanos = nowNanos + windowNanos;
    }
  }

  /** Whether nothing is left, and the next request has to wait for {@link #resetNanos}. */
  boolean isSpent() {
    return quota != null && left <= 0 && !(sliding && usualNanos() > 0);
  }

  /** When there is more. */
  long resetNanos() {
    return resetNanos;
  }

  /** The time between requests while something is left. */
  long spacingNanos(long sinceNanos) {
    Quota known = quota;
    if (known == null || !(spread || isLow(known, left))) {
      return 0;
    }
    long usual = usualNanos();
    return usual > 0 ? usual : Math.max(0, resetNanos - sinceNanos) / (Math.max(0, left) + 1);
  }

  private static boolean isLow(Quota known, long left) {
    return known.permits().isPresent()
        ? left <= known.permits().getAsLong() / LOW_SHARE
        : left <= LOW_REQUESTS;
  }

  /** The time between requests that the limit allows on average; 0 if it is unknown. */
  long usualNanos() {
    Quota known = quota;
    return known == null || known.permits().isEmpty() || known.windowNanos().isEmpty()
        ? 0
        : known.windowNanos().getAsLong() / known.permits().getAsLong();
  }
}
