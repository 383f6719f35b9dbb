package dev.weir.server;

import dev.weir.Descriptor;
import dev.weir.Limit;
import dev.weir.key.KeySpace;
import dev.weir.rule.Rule;
import dev.weir.rule.Rule.WhenStoreFails;
import dev.weir.rule.RuleBook;
import dev.weir.testkit.redis.Await;
import dev.weir.testkit.redis.FaultProxy;
import dev.weir.testkit.redis.RedisServer;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/** A server, asked at an even pace, and its Redis, which is in trouble. */
final class Troubled implements AutoCloseable {
  /** What took longer has waited for the store; the rest says nothing about deadlines. */
  private static final long WAITED_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

  private final RuleBook rules =
      RuleBook.of(
          List.of(
              Rule.named("all")
                  .limit(Limit.fixedWindow(1_000_000_000, Duration.ofDays(3_000)))
                  .whenStoreFails(WhenStoreFails.LOCAL)
                  .build()),
          KeySpace.random());

  private final RedisServer redis = RedisServer.start();
  private final FaultProxy proxy = FaultProxy.before(redis.port());
  private final OneServer server;
  private final Stalls stalls;
  private final AtomicLong asked = new AtomicLong();
  private final AtomicLong told = new AtomicLong();
  private final ConcurrentLinkedQueue<Wait> waits = new ConcurrentLinkedQueue<>();
  final Trouble trouble;
  final Breakers breaker;

  /** Of one request. */
  private record Wait(long askedNanos, long toldNanos) {
    long nanos() {
      return toldNanos - askedNanos;
    }

    long nanos(Stalls stalls) {
      return stalls.tookNanos(askedNanos, toldNanos);
    }
  }

  /**
   * @param options of the URL of Redis
   */
  Troubled(Trouble trouble, String options, Stalls stalls) {
    this.trouble = trouble;
    this.stalls = stalls;
    this.server = new OneServer("redis://127.0.0.1:" + proxy.port() + options);
    this.breaker = new Breakers(List.of(server.shared));
  }

  void onItsThread(Runnable work) {
    new Thread(work, "weir-load-" + trouble).start();
  }

  /** Trouble begins while the store is asked. A busy machine may be trouble enough before it. */
  void warmUp() {
    ask(new Pace(1_000), System.nanoTime() + TimeUnit.SECONDS.toNanos(1));
    Await.until(
        "the store is asked",
        Duration.ofSeconds(60),
        () -> server.shared.breaker().equals("closed"));
    waits.clear();
  }

  void load(int seconds) {
    Pace pace = new Pace(trouble.requestsPerSecond);
    long end = System.nanoTime();
    for (int second = 0; second < seconds; second++) {
      trouble.at(proxy, second);
      end += TimeUnit.SECONDS.toNanos(1);
      ask(pace, end);
    }
    Await.until("none is lost", Duration.ofSeconds(5), () -> told.get() == asked.get());
  }

  private void ask(Pace pace, long end) {
    while (pace.next() - end < 0) {
      asked.incrementAndGet();
      long start = System.nanoTime();
      var unused =
          server
              .limiter
              .take(rules.match(Descriptor.of(Map.of())))
              .stage()
              .whenComplete((decision, failure) -> told(new Wait(start, System.nanoTime())));
    }
  }

  private void told(Wait wait) {
    if (wait.nanos() > WAITED_NANOS) {
      waits.add(wait);
    }
    told.incrementAndGet();
  }

  long asked() {
    return asked.get();
  }

  /** How many took longer, and not because the machine stood still. */
  long longerThan(long nanos) {
    return waits.stream().filter(wait -> wait.nanos(stalls) > nanos).count();
  }

  /** How many had to wait for the store. */
  long waited() {
    return longerThan(WAITED_NANOS);
  }

  /** How many of those had to wait while the machine did not stand still, but for a moment. */
  long judged() {
    return waits.stream()
        .filter(wait -> wait.nanos() - wait.nanos(stalls) < TimeUnit.MILLISECONDS.toNanos(2))
        .count();
  }

  /** Open files that are not the server's, but of the proxy before its Redis. */
  int proxyFiles() {
    return 2 * proxy.connections();
  }

  @Override
  public String toString() {
    long slowest = waits.stream().mapToLong(wait -> wait.nanos(stalls)).max().orElse(0);
    long withStalls = waits.stream().mapToLong(Wait::nanos).max().orElse(0);
    return "%s: %d decisions, %d waited, the slowest %.1f ms (%.1f with stalls)"
        .formatted(trouble, told.get(), waited(), slowest / 1e6, withStalls / 1e6);
  }

  @Override
  public void close() {
    breaker.close();
    server.close();
    proxy.close();
    redis.close();
  }
}
