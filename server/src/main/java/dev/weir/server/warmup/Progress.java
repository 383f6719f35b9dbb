package dev.weir.server.warmup;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Tells from how long calls took whether a server is warm.
 *
 * <p>It is once calls were quick several rounds in a row. A call may wait for the store meanwhile,
 * and a store that is far away does not come nearer by waiting longer: so quick is what takes no
 * more than a given time and two trips to the store. Where such trips take their time and vary, it
 * is also enough that calls no longer get quicker; but not where the store is near, since then it
 * is this machine that is slow, which may pass.
 */
final class Progress {
  private static final int MIN_ROUNDS = 15;

  /** So many rounds in a row must be quick. */
  private static final int QUICK_ROUNDS = 4;

  /** Trips to the store that a call may make one after the other. */
  private static final int TRIPS = 2;

  /** So many rounds are compared with as many before them. */
  private static final int COMPARED_ROUNDS = 5;

  /** Calls get quicker if they take no more than so many percent of what they took before. */
  private static final int QUICKER_PERCENT = 90;

  private static final Duration FAR = Duration.ofMillis(1);

  private final long quickNanos;
  private final List<Long> slowest = new ArrayList<>();
  private long storeNanos;
  private int quickRounds;

  /**
   * @param quick how long a call may take beside its trips to the store
   */
  Progress(Duration quick) {
    this.quickNanos = quick.toNanos();
  }

  /**
   * Notes a round.
   *
   * @param slowestNanos how long the slowest call took
   * @param tripNanos how long the shortest trip to the store took so far; 0 if there was none
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
    List<Long> some = slowest.subList(from, from + COMPARED_ROUNDS);
    return some.stream().sorted().toList().get(COMPARED_ROUNDS / 2);
  }
}
