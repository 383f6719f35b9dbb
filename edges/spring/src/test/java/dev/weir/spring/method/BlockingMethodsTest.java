package dev.weir.spring.method;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.weir.library.ConcurrencyLimiter;
import dev.weir.library.Denial;
import dev.weir.library.Permit;
import dev.weir.library.RulesLimiter;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.springframework.context.ConfigurableApplicationContext;

/** Methods that return when their work is over. */
@Timeout(120)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class BlockingMethodsTest {
  /** Limited methods. */
  static class Mail {
    int sent;

    @RateLimited(name = "send-mail", key = "#tenant")
    String send(String tenant) {
      sent++;
      return "sent to " + tenant;
    }

    @RateLimited(name = "shared")
    void all() {
      sent++;
    }

    @RateLimited(name = "bulk", key = "#tenant", cost = "#items.size()")
    int bulk(String tenant, List<String> items) {
      return items.size();
    }

    @RateLimited(name = "brief", key = "#tenant", maxWait = "60s")
    String patient(String tenant) {
      return tenant;
    }

    @RateLimited(name = "hourly", key = "#tenant", maxWait = "2h")
    String patientForLong(String tenant) {
      return tenant;
    }

    @ConcurrencyLimited(name = "export", key = "#tenant")
    String export(String tenant, Work work) throws IOException {
      return work.run();
    }

    @ConcurrencyLimited(name = "export", key = "#tenant")
    @RateLimited(name = "export-rate", key = "#tenant")
    String both(String tenant, Work work) throws IOException {
      return work.run();
    }
  }

  /** What happens while a permit is held. */
  @FunctionalInterface
  interface Work {
    String run() throws IOException;
  }

  private ConfigurableApplicationContext context;
  private Mail mail;
  private RulesLimiter rules;

  @BeforeAll
  void start() {
    context =
        Contexts.start(
            List.of(
                "calls.send-mail.limit=2/hour",
                "calls.shared.limit=1/hour",
                "calls.bulk.limit=5/hour",
                "calls.brief.limit=20/second",
                "calls.brief.burst=1",
                "calls.hourly.limit=1/hour",
                "calls.export.concurrent=1",
                "calls.export-rate.limit=2/hour"),
            Mail.class);
    mail = context.getBean(Mail.class);
    rules = context.getBean(RulesLimiter.class);
  }

  @AfterAll
  void stop() {
    context.close();
  }

  @Test
  void eachKeyHasItsOwnCounter() {
    assertThat(mail.send("acme")).isEqualTo("sent to acme");
    assertThat(mail.send("acme")).isEqualTo("sent to acme");
    RateLimitedException denied =
        catchThrowableOfType(RateLimitedException.class, () -> mail.send("acme"));
    assertThat(denied)
        .hasMessageStartingWith(
            Mail.class.getName() + ".send: denied by send-mail: LIMIT_REACHED, retry after PT");
    assertThat(denied.denial().reason()).isEqualTo(Denial.Reason.LIMIT_REACHED);
    assertThat(denied.retryAfter()).isPresent();
    assertThat(mail.send("globex")).isEqualTo("sent to globex");
  }

  @Test
  void withoutAKeyAllCallersShareACounter() {
    mail.all();
    assertThatThrownBy(mail::all).isInstanceOf(RateLimitedException.class);
    assertThat(rules.limiter("shared").peek("*").allowed()).isFalse();
  }

  @Test
  void callsCostWhatTheExpressionGives() {
    assertThat(mail.bulk("acme", List.of("a", "b", "c"))).isEqualTo(3);
    assertThat(rules.limiter("bulk").peek("acme").remaining()).isEqualTo(2);
    assertThatThrownBy(() -> mail.bulk("acme", List.of("a", "b", "c")))
        .isInstanceOf(RateLimitedException.class);
    RateLimitedException never =
        catchThrowableOfType(
            RateLimitedException.class,
            () -> mail.bulk("acme", List.of("a", "b", "c", "d", "e", "f")));
    assertThat(never.denial().reason()).isEqualTo(Denial.Reason.COST_ABOVE_LIMIT);
    assertThat(never.retryAfter()).isEmpty();
  }

  @Test
  void waitsForPermitsInsteadOfFailing() {
    for (int i = 0; i < 4; i++) {
      assertThat(mail.patient("acme")).isEqualTo("acme");
    }
  }

  @Test
  void permitIsHeldWhileTheMethodRuns() throws Exception {
    ConcurrencyLimiter exports = rules.concurrency("export");
    String inside =
        mail.export("held", () -> exports.tryEnter("held").isPresent() ? "free" : "taken");
    assertThat(inside).isEqualTo("taken");
    assertFree("held");
    assertThatThrownBy(() -> mail.export("held", () -> mail.export("held", () -> "nested")))
        .isInstanceOf(RateLimitedException.class)
        .hasMessageContaining("denied by export");
    assertFree("held");
  }

  @Test
  void exceptionGivesThePermitBackAndLeavesTheRateCharged() {
    assertThatThrownBy(
            () ->
                mail.both(
                    "failing",
                    () -> {
                      throw new IOException("disk full");
                    }))
        .isInstanceOf(IOException.class)
        .hasMessage("disk full");
    assertFree("failing");
    assertThat(rules.limiter("export-rate").peek("failing").remaining()).isEqualTo(1);
  }

  @Test
  void callDeniedByOneOfTwoLimitsIsChargedNowhere() throws Exception {
    try (Permit taken = rules.concurrency("export").enter("both", Duration.ZERO)) {
      assertThat(taken.key()).isEqualTo("both");
      assertThatThrownBy(() -> mail.both("both", () -> "ran"))
          .isInstanceOf(RateLimitedException.class);
    }
    assertThat(rules.limiter("export-rate").peek("both").remaining()).isEqualTo(2);
    assertThat(mail.both("both", () -> "ran")).isEqualTo("ran");
    assertThat(mail.both("both", () -> "ran")).isEqualTo("ran");
    assertThatThrownBy(() -> mail.both("both", () -> "ran"))
        .hasMessageContaining("denied by export-rate");
    assertFree("both");
  }

  @Test
  void interruptedCallerLeavesTheQueue() {
    assertThat(mail.patientForLong("acme")).isEqualTo("acme");
    Thread.currentThread().interrupt();
    assertThatThrownBy(() -> mail.patientForLong("acme")).isInstanceOf(CancellationException.class);
    assertThat(Thread.interrupted()).isTrue();
  }

  private void assertFree(String key) {
    Optional<Permit> free = rules.concurrency("export").tryEnter(key);
    assertThat(free).as("a free permit for " + key).isPresent();
    free.get().close();
  }
}
