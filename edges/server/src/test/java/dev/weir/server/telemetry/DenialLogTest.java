package dev.weir.server.telemetry;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.server.log.LogFormat;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class DenialLogTest {
  private static final long SECOND = 1_000_000;
  private static final long START = 1_795_000_000 * SECOND;

  private final ByteArrayOutputStream written = new ByteArrayOutputStream();

  private static DecisionRecord denial(@Nullable String rule, long micros) {
    return new DecisionRecord(
        micros,
        120,
        "check",
        new RequestLine(null, "GET", "/a"),
        new Decided(
            Decided.DENIED,
            rule,
            OptionalLong.of(0xabcL),
            OptionalLong.of(0),
            OptionalLong.of(1_500),
            null),
        OptionalInt.of(429),
        "4bf92f3577b34da6a3ce929d0e0e4736");
  }

  private List<String> lines() {
    return written.toString(StandardCharsets.UTF_8).lines().toList();
  }

  @Test
  void lineNamesTheRuleAndTheCallerByItsHash() {
    try (DenialLog log = DenialLog.to(written, LogFormat.JSON, 5)) {
      log.add(denial("per-user", START));
    }
    assertThat(lines())
        .containsExactly(
            "{\"time\":\"2026-11-18T11:06:40.000Z\",\"endpoint\":\"check\",\"method\":\"GET\","
                + "\"path\":\"/a\",\"outcome\":\"denied\",\"rule\":\"per-user\","
                + "\"caller\":\"0000000000000abc\",\"retryAfterMillis\":1500,"
                + "\"traceId\":\"4bf92f3577b34da6a3ce929d0e0e4736\"}");
  }

  @Test
  void ruleThatDeniesAFloodDoesNotHideAnother() {
    try (DenialLog log = DenialLog.to(written, LogFormat.TEXT, 3)) {
      for (int i = 0; i < 10_000; i++) {
        log.add(denial("loud", START + i));
      }
      log.add(denial("quiet", START + 20_000));
      log.add(denial("loud", START + SECOND));
      assertThat(log.suppressed()).isEqualTo(10_000 - 3);
      assertThat(log.dropped()).isZero();
    }
    assertThat(lines()).hasSize(5);
    assertThat(lines().get(3)).contains(" rule=quiet ").doesNotContain("suppressed");
    assertThat(lines().get(4)).contains(" rule=loud ").endsWith(" suppressed=9997");
  }

  @Test
  void rulesBeyondTheMaximumShareOneBudget() {
    try (DenialLog log = DenialLog.to(written, LogFormat.TEXT, 1)) {
      for (int i = 0; i < DenialLog.MAX_RULES + 100; i++) {
        log.add(denial("rule-" + i, START));
      }
      log.add(denial(null, START));
      assertThat(log.suppressed()).isEqualTo(100);
    }
    assertThat(lines()).hasSize(DenialLog.MAX_RULES + 1);
  }

  @Test
  void budgetIsExactWhoeverTakesFromIt() {
    RateBudget budget = new RateBudget(1_000);
    AtomicLong taken = new AtomicLong();
    IntStream.range(0, 100_000)
        .parallel()
        .forEach(
            i -> {
              if (budget.take(START + (i % 3) * 1_000L)) {
                taken.incrementAndGet();
              }
            });
    assertThat(taken.get()).isEqualTo(1_000);
    assertThat(budget.take(START + SECOND)).isTrue();
    assertThat(budget.take(START)).as("a clock that was set back").isTrue();
  }
}
