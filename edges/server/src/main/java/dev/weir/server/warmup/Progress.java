package dev.weir.server.warmup;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Decides from the duration of calls whether a server is warm. Not thread-safe.
 *
 * <p>It is warm once calls were quick in several consecutive rounds. Calls include waiting for the
 * store, and a longer warm-up does not make a distant store faster: so a call is quick if it takes
 * no more than a given time and two round trips to the store. With a distant store, whose round
 * trips vary, it is also enough that calls no longer get quicker; not with a near one, because then
 * this machine is slow, which may pass.
 */
final class Progress {
  private static final int MIN_ROUNDS = 15;

  /** The number of consecutive rounds that must be quick. */
  private static final int QUICK_ROUNDS = 4;

  /** The maximum number of consecutive round trips of a call to the store. */
  private static final int TRIPS = 2;

  /** The number of rounds that are compared with as many before them. */
  private static final int COMPARED_ROUNDS = 5;

  /** Calls get quicker if they take less than so many percent of the time before. */
  private static final int QUICKER_PERCENT = 90;

  private static final Duration FAR = Duration.ofMillis(1);

  private final long quickNanos;
  private final List<Long> slowest = new ArrayList<>();
  private long storeNanos;
  private int quickRounds;

  /**
   * Begins without rounds.
   *
   * @param quick the maximum time of a call beside its round trips to the store
   */
  Progress(Duration quick) {
    this.quickNanos = quick.toNanos();
  }

  /**
   * Records a round.
   *
   * @param slowestNanos the time of the slowest call
   * @param tripNanos the shortest round trip to the store so far; 0 if there was none
   */
  void add(long slowestNanos, long tripNanos) {
    slowest.add(slowestNanos);
    storeNanos = tripNanos;
    quickRounds = slowestNanos <= quickNanos + TRIPS * tripNanos ? quickRounds + 1 : 0;
  }

  int rounds() {
    return slowest.size();
  }

  boolean isWarm() {
    return rounds() >= MIN_ROUNDS
        && (quickRounds >= QUICK_ROUNDS || (storeNanos >= FAR.toNanos() && !isGettingQuicker()));
  }

  private boolean isGettingQuicker() {
    long now = median(rounds() - COMPARED_ROUNDS);
    long before = median(rounds() - 2 * COMPARED_ROUNDS);
    return now * 100 < before * QUICKER_PERCENT;
  }

  private long median(int from) {
    List<Long> compared = slowest.subList(from, from + COMPARED_ROUNDS);
    return compared.stream().sorted().toList().get(COMPARED_ROUNDS / 2);
  }
}
