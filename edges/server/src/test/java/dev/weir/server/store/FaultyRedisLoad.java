package dev.weir.server.store;

import dev.weir.Descriptor;
import dev.weir.Limit;
import dev.weir.key.KeySpace;
import dev.weir.rule.FailureMode;
import dev.weir.rule.Rule;
import dev.weir.rule.book.RuleBook;
import dev.weir.server.FixedRate;
import dev.weir.server.StallDetector;
import dev.weir.server.Trouble;
import dev.weir.testkit.redis.Await;
import dev.weir.testkit.redis.FaultProxy;
import dev.weir.testkit.redis.RedisServer;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/** A server under load at a fixed rate, with a faulty Redis. */
public final class FaultyRedisLoad implements AutoCloseable {
  /** Requests that took longer have waited for the store; the others do not test deadlines. */
  private static final long WAITED_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

  private final RuleBook rules =
      RuleBook.of(
          List.of(
              Rule.named("all")
                  .limit(Limit.fixedWindow(1_000_000_000, Duration.ofDays(3_000)))
                  .failureMode(FailureMode.LOCAL)
                  .build()),
          KeySpace.random());

  private final RedisServer redis = RedisServer.start();
  private final FaultProxy proxy = FaultProxy.before(redis.port());
  private final OneServer server;
  private final StallDetector stalls;
  private final AtomicLong sent = new AtomicLong();
  private final AtomicLong answered = new AtomicLong();
  private final ConcurrentLinkedQueue<Wait> waits = new ConcurrentLinkedQueue<>();
  final Trouble trouble;
  public final BreakerSampler breaker;

  /** The duration of one request. */
  private record Wait(long sentNanos, long answeredNanos) {
    long nanos() {
      return answeredNanos - sentNanos;
    }

    long nanos(StallDetector stalls) {
      return stalls.tookNanos(sentNanos, answeredNanos);
    }
  }

  /**
   * @param options of the URL of Redis
   */
  public FaultyRedisLoad(Trouble trouble, String options, StallDetector stalls) {
    this.trouble = trouble;
    this.stalls = stalls;
    this.server = new OneServer("redis://127.0.0.1:" + proxy.port() + options);
    this.breaker = new BreakerSampler(List.of(server.shared));
  }

  public void onOwnThread(Runnable work) {
    new Thread(work, "weir-load-" + trouble).start();
  }

  /** Waits until the breaker is closed before the fault begins: a busy machine may open it. */
  public void warmUp() {
    send(new FixedRate(1_000), System.nanoTime() + TimeUnit.SECONDS.toNanos(1));
    Await.until(
        "the circuit breaker is closed",
        Duration.ofSeconds(60),
        () -> server.shared.breaker().equals("closed"));
    waits.clear();
  }

  public void load(int seconds) {
    FixedRate pace = new FixedRate(trouble.requestsPerSecond);
    long end = System.nanoTime();
    for (int second = 0; second < seconds; second++) {
      trouble.at(proxy, second);
      end += TimeUnit.SECONDS.toNanos(1);
      send(pace, end);
    }
    Await.until("none is lost", Duration.ofSeconds(5), () -> answered.get() == sent.get());
  }

  private void send(FixedRate pace, long end) {
    while (pace.next() - end < 0) {
      sent.incrementAndGet();
      long start = System.nanoTime();
      var unused =
          server
              .limiter
              .take(rules.match(Descriptor.of(Map.of())))
              .stage()
              .whenComplete((decision, failure) -> onAnswer(new Wait(start, System.nanoTime())));
    }
  }

  private void onAnswer(Wait wait) {
    if (wait.nanos() > WAITED_NANOS) {
      waits.add(wait);
    }
    answered.incrementAndGet();
  }

  /** The number of requests so far. */
  public long sent() {
    return sent.get();
  }

  /** How many requests took longer, stalls of the machine not counted. */
  public long longerThan(long nanos) {
    return waits.stream().filter(wait -> wait.nanos(stalls) > nanos).count();
  }

  /** How many requests waited for the store. */
  public long waited() {
    return longerThan(WAITED_NANOS);
  }

  /** How many of those waited while the machine stalled at most for a moment. */
  public long judged() {
    return waits.stream()
        .filter(wait -> wait.nanos() - wait.nanos(stalls) < TimeUnit.MILLISECONDS.toNanos(2))
        .count();
  }

  /** The open files of the proxy in front of Redis. */
  public int proxyFiles() {
    return 2 * proxy.connections();
  }

  @Override
  public String toString() {
    long slowest = waits.stream().mapToLong(wait -> wait.nanos(stalls)).max().orElse(0);
    long withStalls = waits.stream().mapToLong(Wait::nanos).max().orElse(0);
    return "%s: %d decisions, %d waited, the slowest %.1f ms (%.1f with stalls)"
        .formatted(trouble, answered.get(), waited(), slowest / 1e6, withStalls / 1e6);
  }

  @Override
  public void close() {
    breaker.close();
    server.close();
    proxy.close();
    redis.close();
  }
}
