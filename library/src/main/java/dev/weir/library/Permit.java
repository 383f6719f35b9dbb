package dev.weir.library;

import dev.weir.rule.book.Match;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * A concurrency permit, held until it is closed or expires.
 *
 * <pre>{@code
 * try (Permit permit = exports.enter("acme", Duration.ofSeconds(1))) {
 *   export();
 * }
 * }</pre>
 *
 * <p>Safe for use by any number of threads.
 */
public final class Permit implements AutoCloseable {
  private final ConcurrencyLimiter limiter;
  private final String key;
  private final Match match;
  private final AtomicBoolean released = new AtomicBoolean();
  private final AtomicReference<@Nullable Runnable> endRenewal = new AtomicReference<>();

  Permit(ConcurrencyLimiter limiter, String key, Match match) {
    this.limiter = limiter;
    this.key = key;
    this.match = match;
  }

  /** The key that it is held for. */
  public String key() {
    return key;
  }

  /**
   * Starts the time until it expires anew.
   *
   * @return whether it is still held; false if it expired meanwhile and all others are taken, or if
   *     it was closed
   * @throws IllegalStateException if the {@link Weir} is closed
   */
  public boolean renew() {
    return !released.get() && limiter.renew(match);
  }

  /**
   * Renews it in the background until it is closed, for work that may last longer than the expiry.
   * A permit that is lost without being closed is no longer renewed, and expires. A second time,
   * nothing happens.
   */
  public Permit autoRenew() {
    if (!released.get() && endRenewal.get() == null) {
      Runnable end = limiter.autoRenew(match, this);
      boolean first = endRenewal.compareAndSet(null, end);
      if (!first || released.get()) {
        end.run();
      }
    }
    return this;
  }

  /** Releases it, without waiting for the store; a second time, nothing happens. */
  @Override
  public void close() {
    if (released.compareAndSet(false, true)) {
      Runnable end = endRenewal.get();
      if (end != null) {
        end.run();
      }
      limiter.release(key, match);
    }
  }
}
