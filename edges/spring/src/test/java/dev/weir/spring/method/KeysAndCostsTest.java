package dev.weir.spring.method;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.library.RulesLimiter;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.context.ConfigurableApplicationContext;

/** Keys and costs that calls compute. */
@Timeout(120)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class KeysAndCostsTest {
  /** Has keys and costs that depend on the call. */
  static class Dynamic {
    @RateLimited(name = "mail", key = "#key")
    void keyed(@Nullable Object key) {}

    @RateLimited(name = "mail", key = "#key.id")
    void ofObject(@Nullable Holder key) {}

    @RateLimited(name = "mail", key = "'cost ' + #cost", cost = "#cost")
    void costly(@Nullable Object cost) {}

    @RateLimited(name = "mail", key = "#root.method.name + #root.args[0] + #root.target.plan()")
    void ofRoot(String tenant) {}

    public String plan() {
      return "gold";
    }
  }

  private ConfigurableApplicationContext context;
  private Dynamic bean;

  @BeforeAll
  void start() {
    context = Contexts.start(List.of("calls.mail.limit=2/hour"), Dynamic.class);
    bean = context.getBean(Dynamic.class);
  }

  @AfterAll
  void stop() {
    context.close();
  }

  /** Has an identifier. */
  record Holder(String id) {}

  static Stream<Arguments> keys() {
    return Stream.of(
        Arguments.of(null, "null (expected: a value, so that callers do not share a counter)"),
        Arguments.of("", "empty (expected: a value"),
        Arguments.of(Optional.empty(), "null (expected: a value"),
        Arguments.of(new Object(), "java.lang.Object (expected: a text, a number,"),
        Arguments.of(new String[] {"a"}, "java.lang.String[] (expected: a text, a number,"),
        Arguments.of(List.of("a", "b"), "(expected: a text, a number,"));
  }

  @ParameterizedTest
  @MethodSource("keys")
  void callWithoutAKeyFails(@Nullable Object key, String problem) {
    assertThatThrownBy(() -> bean.keyed(key))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith(Dynamic.class.getName() + ".keyed: @RateLimited(key = \"#key\"): ")
        .hasMessageContaining(problem);
  }

  static Stream<Arguments> costs() {
    return Stream.of(
        Arguments.of(0, "0 (expected: a whole number between 1 and "),
        Arguments.of(-1L, "-1 (expected: "),
        Arguments.of(1.5, "1.5, java.lang.Double (expected: "),
        Arguments.of("2", "2, java.lang.String (expected: "),
        Arguments.of(Long.MAX_VALUE, Long.MAX_VALUE + " (expected: "),
        Arguments.of(null, "null (expected: "));
  }

  @ParameterizedTest
  @MethodSource("costs")
  void callWithAWrongCostFails(@Nullable Object cost, String problem) {
    assertThatThrownBy(() -> bean.costly(cost))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(".costly: @RateLimited(cost = \"#cost\"): " + problem);
  }

  @Test
  void keysMayBeNumbersOptionalsAndPartsOfObjects() {
    bean.keyed(7);
    bean.keyed(Optional.of("7"));
    assertThatThrownBy(() -> bean.ofObject(new Holder("7")))
        .isInstanceOf(RateLimitedException.class);
    assertThatThrownBy(() -> bean.ofObject(null)).isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void expressionsSeeTheCall() {
    bean.ofRoot("acme");
    assertThat(
            context.getBean(RulesLimiter.class).limiter("mail").peek("ofRootacmegold").remaining())
        .isEqualTo(1);
  }
}
