package dev.weir.redis;

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
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

/**
 * Threads that take one permit after the other of a few counters, and keep books: what each caller
 * was told, and how long it took.
 *
 * <p>The counters are fixed windows of ten years, so that what Redis holds at the end is what was
 * charged to them, and nothing else.
 */
final class Load implements AutoCloseable {
  static final Duration WINDOW = Duration.ofDays(3_650);

  /** The option of a URL: the usual deadline is kept only by a machine with nothing else to do. */
  static final String DEADLINE = "?deadline=" + Effort.of(100, 25) + "ms";

  /** By then everything has recovered, unless it never does. */
  static final Duration RECOVERY = Duration.ofSeconds(Effort.of(60, 5));

  /** What nearly all stay below: the deadline of 25 ms, and 75 for a machine with much to do. */
  private static final Duration LATEST = Duration.ofMillis(100);

  /** How often, beside 0.1 %, a thread that all wait for may not get its turn in time. */
  private static final int STALLS = 3;

  private static final Duration BLOCKED = Duration.ofSeconds(1);
  private static final int THREADS = 8;
  private static final int PAUSE_MILLIS = 1;
  private static final int MAX_ANSWERS = 1_000_000;

  private final Store store;
  private final List<Claim> claims;
  private final List<Thread> threads = new ArrayList<>();
  private final List<Answered> answers = new ArrayList<>();
  private final List<Throwable> broken = new CopyOnWriteArrayList<>();
  private volatile boolean stopped;

  /** How late a thread was that did nothing but sleep: for that the store is not to blame. */
  private volatile long stallNanos;

  private Load(Store store, List<Claim> claims) {
    this.store = store;
    this.claims = claims;
  }

  /** Claims on counters of their own, each of which has so many permits. */
  static List<Claim> claims(int counters, long permits) {
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
      broken.add(e); // interrupted only when nobody looks any more
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
    Answered answered;
    try {
      Decision decision = store.take(claims.get(claim)).join();
      answered = new Answered(claim, start, System.nanoTime(), decision.allowed(), "", Effect.NONE);
    } catch (StoreFailure e) {
      String why = String.valueOf(e.getMessage());
      answered = new Answered(claim, start, System.nanoTime(), false, why, e.effect());
    }
    synchronized (answers) {
      answers.add(answered);
      stopped |= answers.size() >= MAX_ANSWERS;
    }
  }

  private List<Answered> answers() {
    synchronized (answers) {
      return List.copyOf(answers);
    }
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
   * Waits until each counter has answered a request that began after this call, and half a second
   * brings nearly nothing but decisions: the first one, where a machine is judged by its speed.
   */
  Duration recovered(Duration limit) {
    long start = System.nanoTime();
    Duration after = awaitDecisions(limit);
    boolean lasts = decidesNearlyAll();
    while (!lasts && !Effort.isThorough() && System.nanoTime() - start < limit.toNanos()) {
      lasts = decidesNearlyAll();
    }
    assertThat(lasts).as("nearly all is decided after recovery: %s", failures()).isTrue();
    return after;
  }

  private boolean decidesNearlyAll() {
    long from = System.nanoTime();
    sleep(500);
    List<Answered> since = answers().stream().filter(one -> one.startNanos() - from > 0).toList();
    long decided = since.stream().filter(Answered::decided).count();
    return decided > since.size() * 9L / 10 && decided > 0;
  }

  /** Waits until no counter has anything more to grant. */
  Load awaitDenials() {
    await(
        "denials",
        () ->
            answers().stream()
                    .filter(one -> one.decided() && !one.allowed())
                    .mapToInt(Answered::claim)
                    .distinct()
                    .count()
                == claims.size());
    return this;
  }

  /** Waits until each counter has granted so many. */
  Load awaitGrants(long each) {
    await(
        each + " grants",
        () -> IntStream.range(0, claims.size()).allMatch(claim -> allowed(claim) >= each));
    return this;
  }

  /** Waits until somebody was told of a failure in these words, its effect before it. */
  Load awaitFailure(String words) {
    await(words, () -> failures().keySet().stream().anyMatch(why -> why.contains(words)));
    return this;
  }

  private void await(String what, BooleanSupplier condition) {
    long from = System.nanoTime();
    while (!condition.getAsBoolean()) {
      assertThat(Duration.ofNanos(System.nanoTime() - from))
          .as("no %s: %s", what, failures())
          .isLessThan(Duration.ofSeconds(60));
      sleep(50);
    }
  }

  private Duration awaitDecisions(Duration limit) {
    long from = System.nanoTime();
    while (System.nanoTime() - from < limit.toNanos()) {
      long counters =
          answers().stream()
              .filter(one -> one.decided() && one.startNanos() - from > 0)
              .mapToInt(Answered::claim)
              .distinct()
              .count();
      if (counters == claims.size()) {
        return Duration.ofNanos(System.nanoTime() - from);
      }
      sleep(10);
    }
    throw new AssertionError("no decisions within " + limit + ": " + failures());
  }

  /** How often each failure was told. */
  Map<String, Integer> failures() {
    Map<String, Integer> count = new TreeMap<>();
    for (Answered one : answers()) {
      if (!one.decided()) {
        count.merge(one.effect() + " " + one.failure(), 1, Integer::sum);
      }
    }
    return count;
  }

  long allowed() {
    return answers().stream().filter(Answered::allowed).count();
  }

  long allowed(int claim) {
    return answers().stream().filter(one -> one.claim() == claim && one.allowed()).count();
  }

  long allowedSince(long nanos) {
    return answers().stream().filter(one -> one.allowed() && one.endNanos() - nanos > 0).count();
  }

  long unknown() {
    return answers().stream().filter(Answered::unknown).count();
  }

  long unknown(int claim) {
    return answers().stream().filter(one -> one.claim() == claim && one.unknown()).count();
  }

  long failed() {
    return answers().stream().filter(one -> !one.decided()).count();
  }

  /** What Redis holds of a counter, as another one sees it who has patience. */
  long counted(Store auditor, int claim) {
    Claim asked = claims.get(claim);
    return asked.limit().permits() - auditor.look(List.of(asked)).join().remaining();
  }

  /** Each permit that was granted is in the books of Redis, and none that nobody asked for. */
  void assertBooks(Store auditor) {
    for (int i = 0; i < claims.size(); i++) {
      assertThat(counted(auditor, i))
          .as("counter %s: allowed %s, unknown %s", i, allowed(i), unknown(i))
          .isBetween(allowed(i), allowed(i) + unknown(i));
    }
    assertNoDoubleCharge(auditor);
  }

  /** Nothing is charged twice; some of it may be forgotten. */
  void assertNoDoubleCharge(Store auditor) {
    for (int i = 0; i < claims.size(); i++) {
      assertThat(counted(auditor, i))
          .as("counter %s: allowed %s, unknown %s", i, allowed(i), unknown(i))
          .isLessThanOrEqualTo(allowed(i) + unknown(i));
    }
  }

  /** Ends the threads, and makes sure that all were answered; if time is judged, in time. */
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
    assertThat(answers()).hasSizeLessThan(MAX_ANSWERS);
    if (Effort.isThorough()) {
      assertInTime();
    }
    return this;
  }

  private void assertInTime() {
    List<Answered> all = answers();
    long[] nanos = Answered.nanos(all);
    int spared = Math.max(nanos.length / 1_000, STALLS * THREADS);
    assertThat(Duration.ofNanos(nanos[Math.max(0, nanos.length - 1 - spared)]))
        .as("all but %s: %s", spared, Answered.slowest(all))
        .isLessThan(LATEST.plusNanos(stallNanos));
    assertThat(Duration.ofNanos(nanos[nanos.length - 1]))
        .as(Answered.slowest(all))
        .isLessThan(BLOCKED);
  }

  @Override
  public void close() {
    stopped = true;
    threads.forEach(Thread::interrupt);
  }

  /** What happened, in a line. */
  @Override
  public String toString() {
    List<Answered> all = answers();
    long[] nanos = Answered.nanos(all);
    return ("%d answers: %d allowed, %d unknown, %d failed; p99.9 %.1f ms, slowest %.1f ms,"
            + " machine %.1f ms late; %s")
        .formatted(
            all.size(),
            allowed(),
            unknown(),
            failed(),
            nanos[(int) (nanos.length * 0.999)] / 1e6,
            nanos[nanos.length - 1] / 1e6,
            stallNanos / 1e6,
            failures());
  }
}
