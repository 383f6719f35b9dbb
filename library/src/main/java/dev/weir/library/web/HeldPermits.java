package dev.weir.library.web;

import dev.weir.Algorithm;
import dev.weir.Answer;
import dev.weir.Claim;
import dev.weir.Decision;
import dev.weir.Limit;
import dev.weir.Operation;
import dev.weir.StoreFailure;
import dev.weir.async.CallerFuture;
import dev.weir.async.Scheduler;
import dev.weir.limiter.Limiter;
import dev.weir.rule.FailureMode;
import dev.weir.rule.book.Charge;
import dev.weir.rule.book.Match;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The concurrency permits of all requests in flight: renewed while a request lasts, released once.
 *
 * <p><b>How.</b> One timer serves all of them, and runs only while permits are held. A renewal may
 * reach the store after the release that overtook it; so a renewal that finds its request over
 * releases again, which does no harm.
 *
 * <p><b>Bounds.</b> At most {@value #MAX_RENEWED} requests are renewed at a time; permits of
 * further ones expire like those of a process that died, unless they are released before. So do
 * permits whose {@link Admission} was lost without being closed. Who can see that a request has
 * ended says so with {@link Admission#closeWhen}.
 *
 * <p>Safe for use by any number of threads.
 */
public final class HeldPermits {
  /** How many requests have their permits renewed. */
  static final int MAX_RENEWED = 100_000;

  private static final Logger LOG = System.getLogger(HeldPermits.class.getName());

  /** A permit is renewed after this part of its expiry. */
  private static final int RENEWALS = 3;

  private static final long MAX_CHECK_NANOS = TimeUnit.MILLISECONDS.toNanos(100);
  private static final long MIN_CHECK_NANOS = TimeUnit.MILLISECONDS.toNanos(10);
  private static final long NANOS_PER_MICRO = 1_000;

  private final Limiter limiter;
  private final Scheduler scheduler;
  private final Set<Hold> renewed = ConcurrentHashMap.newKeySet();
  private final AtomicBoolean ticking = new AtomicBoolean();
  private volatile boolean closed;

  /** Holds permits of a limiter. */
  public HeldPermits(Limiter limiter, Scheduler scheduler) {
    this.limiter = limiter;
    this.scheduler = scheduler;
  }

  /** A number for a new holder of permits; scripts count in doubles. */
  public static long newHolder() {
    return ThreadLocalRandom.current().nextLong(1, 1L << 53);
  }

  /**
   * Holds the concurrency permits of what was granted; null if there are none.
   *
   * @param owner while somebody has it, the permits are renewed
   */
  @Nullable Hold hold(Match granted, Object owner) {
    List<Charge> permits = List.of();
    long expiryMicros = Long.MAX_VALUE;
    for (int i = 0; i < granted.charges().size(); i++) {
      Limit limit = granted.claims().get(i).limit();
      if (limit.algorithm() == Algorithm.CONCURRENCY) {
        expiryMicros = Math.min(expiryMicros, limit.windowMicros());
        permits = permits.isEmpty() ? new ArrayList<>(2) : permits;
        permits.add(granted.charges().get(i));
      }
    }
    List<Claim> shadows = shadows(granted);
    if (permits.isEmpty() && shadows.isEmpty()) {
      return null;
    }
    Hold hold = new Hold(permits, shadows, expiryMicros * NANOS_PER_MICRO / RENEWALS, owner);
    if (!permits.isEmpty() && !closed && renewed.size() < MAX_RENEWED) {
      renewed.add(hold);
      startTicking(hold.checkNanos());
    }
    return hold;
  }

  private static List<Claim> shadows(Match granted) {
    return granted.shadows().stream()
        .map(Charge::claim)
        .filter(claim -> claim.limit().algorithm() == Algorithm.CONCURRENCY)
        .toList();
  }

  /**
   * Renews the concurrency permits of what was granted, for a holder who releases them itself.
   *
   * @param owner while somebody has it, the permits are renewed
   * @return ends the renewal; to be run before the permits are released
   */
  public Runnable renew(Match granted, Object owner) {
    Hold hold = hold(granted, owner);
    return hold == null ? () -> {} : hold::forget;
  }

  void giveBack(Match match, Decision granted) {
    limiter.giveBack(match, granted);
  }

  /** How many requests have their permits renewed. */
  public int size() {
    return renewed.size();
  }

  /** Ends renewals; permits that are still held can be released. */
  public void close() {
    closed = true;
    renewed.clear();
  }

  private void startTicking(long nanos) {
    if (!closed && ticking.compareAndSet(false, true)) {
      scheduler.schedule(nanos, this::tick);
    }
  }

  private void tick() {
    long now = scheduler.nanos();
    long next = MAX_CHECK_NANOS;
    renewed.removeIf(Hold::isLost);
    for (Hold hold : renewed) {
      next = Math.min(next, hold.checkNanos());
      if (hold.hasEnded()) {
        hold.release();
      } else {
        hold.renewIfDue(now);
      }
    }
    ticking.set(false);
    if (!renewed.isEmpty()) {
      startTicking(next);
    }
  }

  /** The permits of one request. */
  final class Hold {
    private final List<Claim> permits;

    /**
     * Those of rules in shadow, which may or may not have been free. They are released, so that the
     * trial of a rule counts what is in flight; they are not renewed.
     */
    private final List<Claim> shadows;

    /** Those that are counted in this process while the store does not answer. */
    private final List<Claim> fallback;

    private final long renewAfterNanos;
    private final WeakReference<Object> owner;
    private volatile BooleanSupplier ended = () -> false;
    private volatile boolean over;

    /** When they were taken or renewed; only the timer changes it. */
    private volatile long renewedNanos = scheduler.nanos();

    private Hold(List<Charge> permits, List<Claim> shadows, long renewAfterNanos, Object owner) {
      this.shadows = shadows;
      this.permits = permits.stream().map(Charge::claim).toList();
      this.fallback =
          permits.stream()
              .filter(one -> one.failureMode() == FailureMode.LOCAL)
              .map(Charge::claim)
              .filter(claim -> !claim.mode().isLocal())
              .toList();
      this.renewAfterNanos = renewAfterNanos;
      this.owner = new WeakReference<>(owner);
    }

    /** How often to check for this one, so that no expiry passes between two checks. */
    private long checkNanos() {
      return Math.max(MIN_CHECK_NANOS, Math.min(MAX_CHECK_NANOS, renewAfterNanos));
    }

    private boolean isLost() {
      return owner.get() == null;
    }

    /** Lets the timer release the permits once the request has ended. */
    void releaseWhen(BooleanSupplier condition) {
      ended = condition;
    }

    private boolean hasEnded() {
      try {
        return ended.getAsBoolean();
      } catch (RuntimeException e) {
        LOG.log(Level.WARNING, "Failed to check whether a request has ended", e);
        ended = () -> false;
        return false;
      }
    }

    private void renewIfDue(long now) {
      if (!over && now - renewedNanos >= renewAfterNanos) {
        renewedNanos = now;
        try {
          Answer renewal = limiter.store().apply(Operation.TAKE, permits);
          CallerFuture.onAnswer(renewal, (decision, failure) -> onRenewed(failure));
        } catch (RuntimeException e) {
          LOG.log(Level.WARNING, "Failed to renew the concurrency permits of a request", e);
        }
      }
    }

    private void onRenewed(@Nullable Throwable thrown) {
      StoreFailure failure = limiter.degradation().storeFailure(thrown);
      if (failure != null && !fallback.isEmpty()) {
        var unused = limiter.degradation().localStore(failure).take(fallback);
      }
      if (over) {
        // The release may have overtaken the renewal, so that the permits are counted again.
        var unused = limiter.release(permits);
      }
    }

    void release() {
      if (over) {
        return;
      }
      forget();
      if (!permits.isEmpty()) {
        var unused = limiter.release(permits);
      }
      for (Claim shadow : shadows) {
        var unused = limiter.release(List.of(shadow));
      }
    }

    /** Leaves the permits to somebody else, who gives them back. */
    void forget() {
      over = true;
      renewed.remove(this);
    }
  }
}
