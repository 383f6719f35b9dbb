package dev.weir.redis.fault;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.Claim;
import dev.weir.Decision;
import dev.weir.Limit;
import dev.weir.LimitKey;
import dev.weir.Store;
import dev.weir.StoreFailure;
import dev.weir.StoreFailure.Effect;
import dev.weir.testkit.Effort;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

/**
 * Threads that continuously take single permits from a few counters, and record each outcome and
 * its duration.
 *
 * <p>The counters are fixed windows of ten years, so that what Redis holds at the end is what was
 * charged to them, and nothing else.
 */
public final class Load implements AutoCloseable {
  static final Duration WINDOW = Duration.ofDays(3_650);

  /** A URL option: only a machine with nothing else to do keeps the default deadline. */
  static final String DEADLINE = "?deadline=" + Effort.of(100, 25) + "ms";

  /** The time within which everything has recovered, unless it never does. */
  static final Duration RECOVERY = Duration.ofSeconds(Effort.of(60, 5));

  /** The bound for nearly all durations: the deadline of 25 ms, and 75 for a busy machine. */
  private static final Duration MAX_USUAL = Duration.ofMillis(100);

  /** How often, besides 0.1 %, a thread that all wait for may not be scheduled in time. */
  private static final int STALLS = 3;

  /** The bound for all durations. */
  private static final Duration MAX_EVER = Duration.ofSeconds(1);

  private static final int THREADS = 8;
  private static final int PAUSE_MILLIS = 1;
  private static final int MAX_OUTCOMES = 1_000_000;

  private final Store store;
  private final List<Claim> claims;
  private final List<Thread> threads = new ArrayList<>();
  private final Outcomes outcomes = new Outcomes();
  private final List<Throwable> broken = new CopyOnWriteArrayList<>();
  private volatile boolean stopped;

  /** The maximum delay of a thread that only sleeps: the store is not to blame for that. */
  private volatile long stallNanos;

  private Load(Store store, List<Claim> claims) {
    this.store = store;
    this.claims = claims;
  }

  /** Claims on distinct counters, each of which has so many permits. */
  public static List<Claim> claims(int counters, long permits) {
    Limit limit = Limit.fixedWindow(permits, WINDOW);
    return LongStream.rangeClosed(1, counters)
        .mapToObj(i -> Claim.of(limit, new LimitKey(i * 0x9e3779b97f4a7c15L, i)))
        .toList();
  }

  static Load on(Store store, List<Claim> claims) {
    Load load = new Load(store, claims);
    for (int i = 0; i < THREADS; i++) {
      int thread = i;
      load.threads.add(new Thread(() -> load.run(thread), "load-" + i));
    }
    load.threads.add(new Thread(load::measureStalls, "load-stalls"));
    load.threads.forEach(Thread::start);
    load.awaitDecisions(Duration.ofSeconds(60));
    return load;
  }

  private void run(int thread) {
    try {
      for (int i = thread; !stopped; i++) {
        take(i % claims.size());
        TimeUnit.MILLISECONDS.sleep(PAUSE_MILLIS);
      }
    } catch (InterruptedException | RuntimeException e) {
      broken.add(e); // threads are interrupted only after the last check of this list
    }
  }

  private void measureStalls() {
    while (!stopped) {
      long start = System.nanoTime();
      sleep(5);
      long late = System.nanoTime() - start - TimeUnit.MILLISECONDS.toNanos(5);
      stallNanos = Math.max(stallNanos, late);
    }
  }

  private void take(int claim) {
    long start = System.nanoTime();
    Outcome outcome;
    try {
      Decision decision = store.take(claims.get(claim)).join();
      outcome = new Outcome(claim, start, System.nanoTime(), decision.allowed(), "", Effect.NONE);
    } catch (StoreFailure e) {
      String message = String.valueOf(e.getMessage());
      outcome = new Outcome(claim, start, System.nanoTime(), false, message, e.effect());
    }
    if (outcomes.add(outcome) >= MAX_OUTCOMES) {
      stopped = true;
    }
  }

  Outcomes outcomes() {
    return outcomes;
  }

  /** Lets it run for a while. */
  Load runFor(Duration duration) {
    sleep(duration.toMillis());
    return this;
  }

  private static void sleep(long millis) {
    try {
      TimeUnit.MILLISECONDS.sleep(millis);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError(e);
    }
  }

  /**
   * Waits until each counter has decided a request that began after this call, and nearly all
   * requests of half a second are decided; a thorough build checks only the first half second.
   */
  Duration awaitRecovery(Duration limit) {
    long start = System.nanoTime();
    Duration after = awaitDecisions(limit);
    boolean lasts = decidesNearlyAll();
    while (!lasts && !Effort.isThorough() && System.nanoTime() - start < limit.toNanos()) {
      lasts = decidesNearlyAll();
    }
    assertThat(lasts)
        .as("nearly all requests are decided after recovery: %s", outcomes.failures())
        .isTrue();
    return after;
  }

  private boolean decidesNearlyAll() {
    long from = System.nanoTime();
    sleep(500);
    List<Outcome> since =
        outcomes.all().stream().filter(one -> one.startNanos() - from > 0).toList();
    long decided = since.stream().filter(Outcome::isDecided).count();
    return decided > since.size() * 9L / 10 && decided > 0;
  }

  /** Waits until each counter has denied a request. */
  Load awaitDenials() {
    await("denials", () -> outcomes.countersThatDeny() == claims.size());
    return this;
  }

  /** Waits until each counter has granted so many permits. */
  Load awaitGrants(long each) {
    await(
        each + " grants",
        () -> IntStream.range(0, claims.size()).allMatch(claim -> outcomes.allowed(claim) >= each));
    return this;
  }

  /** Waits until a request failed with an effect and message that contain this text. */
  Load awaitFailure(String text) {
    await(text, () -> outcomes.failures().keySet().stream().anyMatch(one -> one.contains(text)));
    return this;
  }

  private void await(String what, BooleanSupplier condition) {
    long from = System.nanoTime();
    while (!condition.getAsBoolean()) {
      assertThat(Duration.ofNanos(System.nanoTime() - from))
          .as("no %s: %s", what, outcomes.failures())
          .isLessThan(Duration.ofSeconds(60));
      sleep(50);
    }
  }

  private Duration awaitDecisions(Duration limit) {
    long from = System.nanoTime();
    while (System.nanoTime() - from < limit.toNanos()) {
      if (outcomes.countersDecidedSince(from) == claims.size()) {
        return Duration.ofNanos(System.nanoTime() - from);
      }
      sleep(10);
    }
    throw new AssertionError("no decisions within " + limit + ": " + outcomes.failures());
  }

  /** The permits that Redis has charged to a counter, according to a store with a long deadline. */
  private long charged(Store auditor, int claim) {
    Claim own = claims.get(claim);
    return own.limit().permits() - auditor.peek(List.of(own)).join().remaining();
  }

  /** Redis has charged each permit that was granted, and none that was not requested. */
  void assertExactCharges(Store auditor) {
    for (int i = 0; i < claims.size(); i++) {
      assertThat(charged(auditor, i))
          .as("counter %s: allowed %s, unknown %s", i, outcomes.allowed(i), outcomes.unknown(i))
          .isBetween(outcomes.allowed(i), outcomes.allowed(i) + outcomes.unknown(i));
    }
    assertNoDoubleCharge(auditor);
  }

  /** Redis has charged nothing twice; it may have lost charges. */
  void assertNoDoubleCharge(Store auditor) {
    for (int i = 0; i < claims.size(); i++) {
      assertThat(charged(auditor, i))
          .as("counter %s: allowed %s, unknown %s", i, outcomes.allowed(i), outcomes.unknown(i))
          .isLessThanOrEqualTo(outcomes.allowed(i) + outcomes.unknown(i));
    }
  }

  /** Ends the threads, and asserts that all requests were answered; a thorough build: in time. */
  Load stop() {
    stopped = true;
    try {
      for (Thread thread : threads) {
        thread.join(TimeUnit.SECONDS.toMillis(30));
        assertThat(thread.isAlive()).as("%s is still blocked", thread.getName()).isFalse();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError(e);
    }
    assertThat(broken).isEmpty();
    assertThat(outcomes.all()).hasSizeLessThan(MAX_OUTCOMES);
    if (Effort.isThorough()) {
      assertInTime();
    }
    return this;
  }

  private void assertInTime() {
    long[] nanos = outcomes.sortedNanos();
    int spared = Math.max(nanos.length / 1_000, STALLS * THREADS);
    assertThat(Duration.ofNanos(nanos[Math.max(0, nanos.length - 1 - spared)]))
        .as("all but %s: %s", spared, outcomes.slowest())
        .isLessThan(MAX_USUAL.plusNanos(stallNanos));
    assertThat(Duration.ofNanos(nanos[nanos.length - 1]))
        .as(outcomes.slowest())
        .isLessThan(MAX_EVER);
  }

  @Override
  public void close() {
    stopped = true;
    threads.forEach(Thread::interrupt);
  }

  /** A summary in one line. */
  @Override
  public String toString() {
    return "%s; machine stalled for at most %.1f ms".formatted(outcomes, stallNanos / 1e6);
  }
}
