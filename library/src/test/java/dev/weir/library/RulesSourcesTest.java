package dev.weir.library;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.rules.yaml.RulesText;
import dev.weir.testkit.redis.Await;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Rules from a file and from the application itself apply as if they were one file. */
@Timeout(120)
class RulesSourcesTest {
  private static final Duration SOON = Duration.ofSeconds(60);
  private static final WebRequest LOGIN = WebRequest.of("POST", "/login");
  private static final WebRequest SEARCH = WebRequest.of("GET", "/search");

  private static final RulesText LOGIN_RULE =
      RulesText.of("code", "rules: [{name: login, match: {path: /login}, limit: 1/hour}]\n");

  @TempDir private Path folder = Path.of("");

  private Path write(String text) throws Exception {
    return Files.writeString(folder.resolve("rules.yaml"), text);
  }

  private static String searchRule(int permits) {
    return "rules: [{name: search, match: {path: /search}, limit: " + permits + "/hour}]\n";
  }

  @Test
  void fileAndTextApplyTogetherAndTheFileIsReloaded() throws Exception {
    Path file = write(searchRule(1));
    try (Weir weir = Weir.inMemory()) {
      RulesLimiter limiter = weir.rules(file, List.of(LOGIN_RULE));
      assertThat(limiter.active().isLoaded()).isTrue();
      assertThat(limiter.admit(LOGIN).allowed()).isTrue();
      assertThat(limiter.admit(LOGIN).allowed()).isFalse();
      assertThat(limiter.admit(SEARCH).allowed()).isTrue();
      assertThat(limiter.admit(SEARCH).allowed()).isFalse();
      String before = limiter.version();
      write(searchRule(1_000_000));
      Await.until("new version", SOON, () -> !limiter.version().equals(before));
      assertThat(limiter.active().current().book().rules())
          .extracting(rule -> rule.name())
          .containsExactlyInAnyOrder("login", "search");
      assertThat(limiter.admit(LOGIN).allowed()).as("still limited").isFalse();
    }
  }

  @Test
  void wrongReloadKeepsTheRulesOfBoth() throws Exception {
    Path file = write(searchRule(1));
    try (Weir weir = Weir.inMemory()) {
      RulesLimiter limiter = weir.rules(file, List.of(LOGIN_RULE));
      String before = limiter.version();
      write("rules: [{name: login, limit: 5/hour}]\n"); // the name is taken by the application
      Await.until("problem", SOON, () -> !limiter.active().status().problems().isEmpty());
      assertThat(limiter.version()).isEqualTo(before);
      assertThat(limiter.active().status().problems().toString()).contains("login");
      assertThat(limiter.admit(SEARCH).allowed()).isTrue();
      assertThat(limiter.admit(SEARCH).allowed()).isFalse();
    }
  }

  /** What the one defines, the other may use. */
  @Test
  void eitherSourceMayNeedTheOther() throws Exception {
    Path tiers = write("tiers: {free: 1/hour}\n");
    RulesText plan =
        RulesText.of("code", "rules: [{name: plan, tier: header X-Plan, default-tier: free}]\n");
    Path rules =
        Files.writeString(
            folder.resolve("plan.yaml"),
            "rules: [{name: plan, tier: header X-Plan, default-tier: free}]\n");
    RulesText definitions = RulesText.of("code", "tiers: {free: 1/hour}\n");
    assertLimited(tiers, plan);
    assertLimited(rules, definitions);
  }

  private static void assertLimited(Path file, RulesText text) {
    try (Weir weir = Weir.inMemory()) {
      RulesLimiter limiter = weir.rules(file, List.of(text));
      assertThat(limiter.admit(SEARCH).allowed()).isTrue();
      assertThat(limiter.admit(SEARCH).allowed()).isFalse();
    }
  }

  @Test
  void severalTextsApplyTogether() {
    RulesText search = RulesText.of("search", searchRule(1));
    try (Weir weir = Weir.inMemory()) {
      RulesLimiter limiter = weir.rules(LOGIN_RULE, search);
      assertThat(limiter.active().current().book().rules()).hasSize(2);
      assertThat(limiter.admit(LOGIN).allowed()).isTrue();
      assertThat(limiter.admit(LOGIN).allowed()).isFalse();
    }
  }

  @Test
  void everythingWrongIsReportedByTheNameOfItsSource() throws Exception {
    Path file = write(searchRule(0));
    RulesText text = RulesText.of("code", "rules: [{name: login, limit: 0/hour}]\n");
    try (Weir weir = Weir.inMemory()) {
      assertThatThrownBy(() -> weir.rules(file, List.of(text)))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("rules.yaml:1")
          .hasMessageContaining("code:1");
    }
  }

  @Test
  @SuppressWarnings("NullAway") // callers may not check
  void noRulesAtAllAreRejected() {
    try (Weir weir = Weir.inMemory()) {
      assertRejected(() -> weir.rules(), "rules: none (expected: a file or a text)");
      assertRejected(() -> weir.rules(null, List.of()), "rules: none (expected: a file or a text)");
      assertRejected(() -> weir.rules(null, null), "texts: null (expected: a value)");
      assertRejected(
          () -> weir.rules(null, Arrays.asList(LOGIN_RULE, null)),
          "text: null (expected: a value)");
    }
  }

  private static void assertRejected(Runnable call, String message) {
    assertThatThrownBy(call::run).isInstanceOf(IllegalArgumentException.class).hasMessage(message);
  }
}
