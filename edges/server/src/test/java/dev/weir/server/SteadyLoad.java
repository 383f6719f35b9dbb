package dev.weir.server;

import dev.weir.Decision;
import dev.weir.StoreFailure;
import dev.weir.limiter.Limiter;
import dev.weir.rule.book.Match;
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

/** Sends requests of several paths at a steady rate to servers in turn, and records the results. */
public final class SteadyLoad {
  private final int perSecond;
  private final List<String> paths;
  private final List<Limiter> servers;
  private final Function<String, Match> rules;
  private final StallDetector stalls;
  final long beganNanos = System.nanoTime();
  private final ConcurrentLinkedQueue<Result> results = new ConcurrentLinkedQueue<>();
  private final Map<String, Tally> tallies = new ConcurrentHashMap<>();
  private volatile boolean over;
  private volatile long percent;

  /** The result of one request. */
  record Result(String path, long dueNanos, long sentNanos, long answeredNanos, String how) {
    /** The time since the request was due: waiting before it is sent counts too. */
    long tookNanos() {
      return answeredNanos - dueNanos;
    }
  }

  /** The number of requests of a path so far. */
  private static final class Tally {
    private final AtomicLong sent = new AtomicLong();
    private final AtomicLong granted = new AtomicLong();
    private final AtomicLong answered = new AtomicLong();
  }

  public SteadyLoad(
      int perSecond,
      List<String> paths,
      List<Limiter> servers,
      Function<String, Match> rules,
      StallDetector stalls) {
    this.perSecond = perSecond;
    this.paths = List.copyOf(paths);
    this.servers = List.copyOf(servers);
    this.rules = rules;
    this.stalls = stalls;
    paths.forEach(path -> tallies.put(path, new Tally()));
  }

  /** Sends requests for a while, and then waits until all are answered. */
  void during(Duration duration) {
    var unused =
        during(
            () -> {
              rest(duration);
              return duration;
            });
  }

  /** Sends requests while a task runs, and then waits until all are answered. */
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
          () ->
              tallies.values().stream()
                  .allMatch(tally -> tally.answered.get() == tally.sent.get()));
    }
  }

  /** The requests sent in the last run, in percent of those due. */
  long percent() {
    return percent;
  }

  /** Waits for a duration. */
  static void rest(Duration duration) {
    long end = System.nanoTime() + duration.toNanos();
    for (long left = duration.toNanos(); left > 0; left = end - System.nanoTime()) {
      LockSupport.parkNanos(left);
    }
  }

  private void ask() {
    FixedRate pace = new FixedRate(perSecond);
    for (int i = 0; !over; i++) {
      long due = pace.next();
      ask(servers.get(i % servers.size()), paths.get(i / servers.size() % paths.size()), due);
    }
    percent = pace.percent(stalls);
  }

  private void ask(Limiter server, String path, long due) {
    long asked = System.nanoTime();
    tally(path).sent.incrementAndGet();
    var unused =
        server
            .take(rules.apply(path))
            .stage()
            .whenComplete(
                (decision, failure) ->
                    note(new Result(path, due, asked, System.nanoTime(), how(decision, failure))));
  }

  private void note(Result one) {
    results.add(one);
    Tally tally = tally(one.path);
    if (one.how.startsWith("allowed")) {
      tally.granted.incrementAndGet();
    }
    tally.answered.incrementAndGet();
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

  /** The results of requests sent in a period. */
  Stream<Result> resultsBetween(long fromNanos, long toNanos) {
    return results.stream()
        .filter(one -> one.sentNanos - fromNanos >= 0 && one.sentNanos - toNanos < 0);
  }

  long count(String path, String how, long fromNanos, long toNanos) {
    return resultsBetween(fromNanos, toNanos)
        .filter(one -> one.path.equals(path) && one.how.startsWith(how))
        .count();
  }

  /** The number of grants so far. */
  long granted(List<String> paths) {
    return paths.stream().mapToLong(path -> tally(path).granted.get()).sum();
  }

  /** The number of grants so far and of requests in flight. */
  long grantedOrOnItsWay(List<String> paths) {
    long answered = paths.stream().mapToLong(path -> tally(path).answered.get()).sum();
    long sent = paths.stream().mapToLong(path -> tally(path).sent.get()).sum();
    return sent - answered + granted(paths);
  }
}
