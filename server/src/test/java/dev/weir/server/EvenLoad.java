package dev.weir.server;

import dev.weir.Decision;
import dev.weir.StoreFailure;
import dev.weir.rule.Limiter;
import dev.weir.rule.Match;
import dev.weir.testkit.Effort;
import dev.weir.testkit.redis.Await;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Stream;

/** Requests of several paths at an even pace, to one server after the other, and their answers. */
final class EvenLoad {
  private final int perSecond;
  private final List<String> paths;
  private final List<Limiter> servers;
  private final Function<String, Match> rules;
  private final Stalls stalls;
  final long beganNanos = System.nanoTime();
  private final ConcurrentLinkedQueue<Told> told = new ConcurrentLinkedQueue<>();
  private final Map<String, Tally> tallies = new ConcurrentHashMap<>();
  private volatile boolean over;
  private volatile long percent;

  /** What became of one request. */
  record Told(String path, long dueNanos, long askedNanos, long toldNanos, String how) {
    /** Since it was due: whoever is kept waiting before it can ask has waited, too. */
    long tookNanos() {
      return toldNanos - dueNanos;
    }
  }

  /** How many requests of a path there were so far. */
  private static final class Tally {
    private final AtomicLong asked = new AtomicLong();
    private final AtomicLong granted = new AtomicLong();
    private final AtomicLong told = new AtomicLong();
  }

  EvenLoad(
      int perSecond,
      List<String> paths,
      List<Limiter> servers,
      Function<String, Match> rules,
      Stalls stalls) {
    this.perSecond = perSecond;
    this.paths = List.copyOf(paths);
    this.servers = List.copyOf(servers);
    this.rules = rules;
    this.stalls = stalls;
    paths.forEach(path -> tallies.put(path, new Tally()));
  }

  /** Asks for so long, and then waits until all is answered. */
  void during(Duration duration) {
    var unused =
        during(
            () -> {
              rest(duration);
              return duration;
            });
  }

  /** Asks until something else is done, and then waits until all is answered. */
  <T> T during(Supplier<T> something) {
    over = false;
    CompletableFuture<Void> asking =
        CompletableFuture.runAsync(this::ask, work -> new Thread(work, "weir-load").start());
    try {
      return something.get();
    } finally {
      over = true;
      asking.join();
      Await.until(
          "none is lost",
          Duration.ofSeconds(Effort.of(60, 1)),
          () -> tallies.values().stream().allMatch(tally -> tally.told.get() == tally.asked.get()));
    }
  }

  /** How much was asked of what was to be, the last time. */
  long percent() {
    return percent;
  }

  /** Lets so much time pass. */
  static void rest(Duration duration) {
    long end = System.nanoTime() + duration.toNanos();
    for (long left = duration.toNanos(); left > 0; left = end - System.nanoTime()) {
      LockSupport.parkNanos(left);
    }
  }

  private void ask() {
    Pace pace = new Pace(perSecond);
    for (int i = 0; !over; i++) {
      long due = pace.next();
      ask(servers.get(i % servers.size()), paths.get(i / servers.size() % paths.size()), due);
    }
    percent = pace.percent(stalls);
  }

  private void ask(Limiter server, String path, long due) {
    long asked = System.nanoTime();
    tally(path).asked.incrementAndGet();
    var unused =
        server
            .take(rules.apply(path))
            .stage()
            .whenComplete(
                (decision, failure) ->
                    note(new Told(path, due, asked, System.nanoTime(), how(decision, failure))));
  }

  private void note(Told one) {
    told.add(one);
    Tally tally = tally(one.path);
    if (one.how.startsWith("allowed")) {
      tally.granted.incrementAndGet();
    }
    tally.told.incrementAndGet();
  }

  private static String how(Decision decision, Throwable failure) {
    if (failure == null) {
      return decision.allowed() ? "allowed " + decision.basis() : "denied";
    }
    Throwable cause = StoreFailure.cause(failure);
    return cause instanceof StoreFailure ? "unanswered" : String.valueOf(cause);
  }

  private Tally tally(String path) {
    return Objects.requireNonNull(tallies.get(path), path);
  }

  /** What was asked in that time. */
  Stream<Told> told(long fromNanos, long toNanos) {
    return told.stream()
        .filter(one -> one.askedNanos - fromNanos >= 0 && one.askedNanos - toNanos < 0);
  }

  long count(String path, String how, long fromNanos, long toNanos) {
    return told(fromNanos, toNanos)
        .filter(one -> one.path.equals(path) && one.how.startsWith(how))
        .count();
  }

  /** All that was granted so far. */
  long granted(List<String> paths) {
    return paths.stream().mapToLong(path -> tally(path).granted.get()).sum();
  }

  /** All that was granted so far, and what may have been and is not yet told. */
  long grantedOrOnItsWay(List<String> paths) {
    long told = paths.stream().mapToLong(path -> tally(path).told.get()).sum();
    long asked = paths.stream().mapToLong(path -> tally(path).asked.get()).sum();
    return asked - told + granted(paths);
  }
}
