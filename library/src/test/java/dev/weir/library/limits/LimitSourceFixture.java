package dev.weir.library.limits;

import dev.weir.Limit;
import dev.weir.library.RulesLimiter;
import dev.weir.library.WebRequest;
import dev.weir.library.Weir;
import dev.weir.rule.Allowance;
import dev.weir.rules.yaml.RulesText;
import dev.weir.testkit.time.ManualScheduler;
import dev.weir.testkit.time.ManualTicker;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiFunction;
import org.junit.jupiter.api.AfterEach;

/** A source of limits, and rules that it is for. */
abstract class LimitSourceFixture {
  static final Duration SOON = Duration.ofSeconds(60);
  static final String RULES =
      """
      identity: {tenant: header X-Tenant}
      lint-ignore: [forgeable-key, needs-release]
      rules:
        - {name: each-tenant, per: tenant, limit: 2/hour, algorithm: fixed-window}
        - {name: shared, match: {path: /shared}, limit: 1000/hour}
        - {name: in-flight, match: {path: /flight}, per: tenant, concurrent: 2}
      calls:
        - {name: mail, limit: 2/hour, algorithm: fixed-window}
      """;

  final ManualTicker ticker = new ManualTicker(1_800_000_000_000_000L);
  final ManualScheduler scheduler = new ManualScheduler(ticker);
  final Weir weir = Weir.builder().ticker(ticker).scheduler(scheduler).build();
  final AtomicInteger asked = new AtomicInteger();

  @AfterEach
  void close() {
    weir.close();
  }

  /** A source that waits for as long as it takes, unless a test says otherwise. */
  class Source implements LimitSource {
    private final Set<String> rules;
    private final BiFunction<String, Map<String, String>, Optional<Allowance>> limits;

    Source(Set<String> rules, BiFunction<String, Map<String, String>, Optional<Allowance>> limits) {
      this.rules = rules;
      this.limits = limits;
    }

    @Override
    public Set<String> rules() {
      return rules;
    }

    @Override
    public Optional<Allowance> limits(String rule, Map<String, String> caller) {
      asked.incrementAndGet();
      return limits.apply(rule, caller);
    }

    @Override
    public Duration maxWait() {
      return Duration.ofMinutes(1);
    }
  }

  RulesLimiter limiter(BiFunction<String, Map<String, String>, Optional<Allowance>> limits) {
    return limiter(new Source(Set.of("each-tenant"), limits));
  }

  RulesLimiter limiter(LimitSource source) {
    return weir.rules(RulesText.of("rules.yaml", RULES)).limitsFrom(source);
  }

  static Optional<Allowance> perHour(long permits) {
    return Optional.of(Allowance.of(Limit.fixedWindow(permits, Duration.ofHours(1))));
  }

  static WebRequest from(String tenant) {
    return WebRequest.of("GET", "/").header("X-Tenant", tenant);
  }

  static int admitted(RulesLimiter limiter, String tenant) {
    int admitted = 0;
    while (admitted < 100 && limiter.check(from(tenant)).allowed()) {
      admitted++;
    }
    return admitted;
  }

  static void awaitQuietly(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
