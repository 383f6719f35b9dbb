package dev.weir.library;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.Limit;
import dev.weir.library.metrics.WeirMeters;
import dev.weir.rule.FailureMode;
import dev.weir.testkit.Repository;
import dev.weir.testkit.redis.RedisServer;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What a registry of Micrometer shows of a {@link Weir}. */
@Timeout(120)
class MetersTest {
  private static final Limit TWO_AN_HOUR = Limit.fixedWindow(2, Duration.ofHours(1));

  private final SimpleMeterRegistry registry = new SimpleMeterRegistry();

  private double decisions(String limiter, String outcome) {
    return registry
        .get("weir.decisions")
        .tags("rule", limiter, "outcome", outcome)
        .counter()
        .count();
  }

  private double degraded(String way) {
    return registry.get("weir.decisions.degraded").tag("way", way).counter().count();
  }

  private Set<String> names() {
    return registry.getMeters().stream()
        .map(meter -> meter.getId().getName())
        .collect(Collectors.toCollection(TreeSet::new));
  }

  @Test
  void decisionsAreCountedByLimiterAndRule(@TempDir Path folder) throws Exception {
    Path rules = folder.resolve("rules.yaml");
    Files.writeString(rules, "rules:\n  - {name: login, per: ip, limit: 1/hour}\n");
    try (Weir weir = Weir.builder().meterRegistry(registry).build()) {
      RateLimiter api = weir.limiter("api", TWO_AN_HOUR);
      for (int i = 0; i < 5; i++) {
        api.tryAcquire("acme");
      }
      api.peek("acme");
      assertThat(decisions("api", "allowed")).isEqualTo(2);
      assertThat(decisions("api", "denied")).isEqualTo(3);
      RulesLimiter limiter = weir.rules(rules);
      limiter.check(WebRequest.of("GET", "/").from("192.0.2.1"));
      limiter.check(WebRequest.of("GET", "/").from("192.0.2.1"));
      assertThat(decisions("login", "allowed")).isEqualTo(1);
      assertThat(decisions("login", "denied")).isEqualTo(1);
      weir.concurrency("exports", 1, Duration.ofMinutes(1)).tryEnter("acme");
      assertThat(decisions("exports", "allowed")).isEqualTo(1);
      assertThat(names()).containsExactly("weir.decisions", "weir.decisions.degraded");
    }
    assertThat(registry.getMeters()).as("removed by close").isEmpty();
  }

  @Test
  void candidatesAreCountedByAgreement(@TempDir Path folder) throws Exception {
    Path rules = folder.resolve("rules.yaml");
    String rule = "{name: api, per: ip, limit: 3/day, candidate: {limit: 1/day, rollout: 0%}}";
    Files.writeString(rules, "rules:\n  - " + rule + "\n");
    try (Weir weir = Weir.builder().meterRegistry(registry).build()) {
      RulesLimiter limiter = weir.rules(rules);
      for (int i = 0; i < 4; i++) {
        assertThat(limiter.check(WebRequest.of("GET", "/").from("192.0.2.1")).allowed())
            .isEqualTo(i < 3);
      }
      assertThat(judged("both-allow")).isEqualTo(1);
      assertThat(judged("candidate-denies")).isEqualTo(2);
      assertThat(judged("both-deny")).isEqualTo(1);
      assertThat(judged("candidate-allows")).isZero();
    }
    assertThat(registry.getMeters()).as("removed by close").isEmpty();
  }

  private double judged(String agreement) {
    return registry
        .get("weir.candidate.decisions")
        .tags("rule", "api", "agreement", agreement)
        .counter()
        .count();
  }

  @Test
  void limitersBeyondTheMaximumAreCountedTogether() {
    try (Weir weir = Weir.builder().meterRegistry(registry).build()) {
      for (int i = 0; i < WeirMeters.MAX_LIMITERS + 3; i++) {
        weir.limiter("l" + i, TWO_AN_HOUR).tryAcquire("acme");
      }
      assertThat(decisions("l0", "allowed")).isEqualTo(1);
      assertThat(decisions("other", "allowed")).isEqualTo(3);
    }
  }

  @Test
  void callsToRedisAreCounted() {
    try (RedisServer redis = RedisServer.start();
        Weir weir =
            Weir.redis(redis.url())
                .deadline(Duration.ofSeconds(5))
                .onStoreFailure(FailureMode.DENY)
                .meterRegistry(registry)
                .build()) {
      RateLimiter api = weir.limiter("api", TWO_AN_HOUR);
      assertThat(api.tryAcquire("acme").allowed()).isTrue();
      assertThat(registry.get("weir.store.up").gauge().value()).isEqualTo(1);
      assertThat(registry.get("weir.store.answers").functionCounter().count()).isPositive();
      assertThat(registry.get("weir.store.rejected").functionCounter().count()).isZero();
      redis.kill();
      assertThat(api.tryAcquire("acme").allowed()).isFalse();
      assertThat(decisions("api", "unanswered")).isEqualTo(1);
      assertThat(degraded("deny")).isEqualTo(1);
      assertThat(degraded("local")).isZero();
      assertThat(
              registry.get("weir.store.failures").functionCounters().stream()
                  .mapToDouble(counter -> counter.count())
                  .sum())
          .isPositive();
      Set<String> names = names();
      names.add("weir.candidate.decisions"); // of rules with a candidate
      assertThat(names).isEqualTo(documentedNames());
    }
    assertThat(registry.getMeters()).isEmpty();
  }

  private static Set<String> documentedNames() {
    try {
      String page = Files.readString(Repository.path("docs/java.md"));
      return Pattern.compile("^\\| `(weir\\.[a-z.]+)", Pattern.MULTILINE)
          .matcher(page)
          .results()
          .map(found -> found.group(1))
          .collect(Collectors.toCollection(TreeSet::new));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** A class path that lacks Micrometer, as that of most applications. */
  private static final class WithoutMicrometer extends ClassLoader {
    WithoutMicrometer() {
      super(WithoutMicrometer.class.getClassLoader());
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
      if (name.startsWith("io.micrometer.")) {
        throw new ClassNotFoundException(name);
      }
      if (!name.startsWith("dev.weir.")) {
        return super.loadClass(name, resolve);
      }
      synchronized (getClassLoadingLock(name)) {
        Class<?> known = findLoadedClass(name);
        return known == null ? define(name) : known;
      }
    }

    private Class<?> define(String name) throws ClassNotFoundException {
      try (InputStream in = getResourceAsStream(name.replace('.', '/') + ".class")) {
        if (in == null) {
          throw new ClassNotFoundException(name);
        }
        byte[] bytes = in.readAllBytes();
        return defineClass(name, bytes, 0, bytes.length);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  /** What an application does without a registry; it uses nothing of the class around it. */
  public static final class Application implements Callable<Boolean> {
    @Override
    public Boolean call() {
      try (Weir weir = Weir.builder().executor(Runnable::run).build()) {
        Limit limit = Limit.fixedWindow(2, Duration.ofHours(1));
        return weir.limiter("api", limit).tryAcquire("acme").allowed();
      }
    }
  }

  @Test
  void micrometerIsOptional() throws Exception {
    Class<?> application = new WithoutMicrometer().loadClass(Application.class.getName());
    assertThat(application).isNotSameAs(Application.class);
    Object made = application.getConstructor().newInstance();
    assertThat(((Callable<?>) made).call()).isEqualTo(true);
  }
}
