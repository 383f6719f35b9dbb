package dev.weir.rule;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.Claim;
import dev.weir.Descriptor;
import dev.weir.Limit;
import dev.weir.key.KeySpace;
import dev.weir.rule.book.RuleBook;
import dev.weir.rule.condition.Condition;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class MultipleTest {
  private static final Duration SECOND = Duration.ofSeconds(1);

  @Test
  void isExactForTheLargestNumbers() {
    long max = Limit.MAX_CAPACITY_UNITS;
    Limit half = Limit.fixedWindow(max / 2, SECOND);
    assertThat(new Multiple(2 * Multiple.WHOLE).of(half).permits()).isEqualTo(max);
    assertThat(new Multiple(1).of(Limit.fixedWindow(max, SECOND)).permits())
        .isEqualTo(max / Multiple.WHOLE);
    assertThatThrownBy(() -> new Multiple(2 * Multiple.WHOLE + 1).of(half))
        .hasMessage("permits: 2251800939585154 (expected: at most " + max + ")");
    assertThatThrownBy(() -> new Multiple(Long.MAX_VALUE).of(half))
        .hasMessageStartingWith("permits: ");
  }

  @Test
  void keepsTheCostOfARequest() {
    Limit limit = Limit.tokenBucket(10, SECOND, 20).withCost(4);
    assertThat(new Multiple(Multiple.WHOLE / 2).of(limit))
        .isEqualTo(Limit.tokenBucket(5, SECOND, 10).withCost(4));
    assertThatThrownBy(() -> new Multiple(Multiple.WHOLE / 10).of(limit))
        .hasMessage("burst: 2 (expected: room for the cost of one request, 4)");
  }

  @Test
  void toStringIsTheNotationOfRules() {
    assertThat(new Multiple(10 * Multiple.WHOLE)).hasToString("10x");
    assertThat(new Multiple(Multiple.WHOLE / 2)).hasToString("0.5x");
    assertThat(new Multiple(1)).hasToString("0.000001x");
    assertThatThrownBy(() -> new Multiple(0)).hasMessageStartingWith("millionths: 0 ");
  }

  @Test
  void aTableMayGrantAnAllowanceThatIsNoTier() {
    Allowance own = Allowance.of(Limit.fixedWindow(7, SECOND));
    Condition acme = Condition.oneOf("header x-user", "acme");
    Map<String, Allowance> tiers = Map.of("free", Allowance.of(Limit.fixedWindow(2, SECOND)));
    Rule.Builder rule =
        Rule.named("a")
            .per(Identity.of("header x-user"))
            .tiers(new Tiers(null, tiers, "free", List.of(CallerOverride.of(acme, own))));
    assertThat(limit(rule, "acme")).isEqualTo(7);
    assertThat(limit(rule, "globex")).isEqualTo(2);
    rule.override(CallerOverride.of(acme, new Multiple(3 * Multiple.WHOLE)));
    assertThat(limit(rule, "acme")).isEqualTo(21);
  }

  private static long limit(Rule.Builder rule, String user) {
    KeySpace keys = KeySpace.withSecret(new byte[KeySpace.SECRET_BYTES]);
    List<Claim> claims =
        RuleBook.of(List.of(rule.build()), keys)
            .match(Descriptor.of(Map.of("header x-user", user)))
            .claims();
    return claims.get(0).limit().permits();
  }
}
