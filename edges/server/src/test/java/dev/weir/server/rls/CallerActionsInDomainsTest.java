package dev.weir.server.rls;

import static dev.weir.rules.domain.TestDomains.at;
import static dev.weir.rules.domain.TestDomains.entries;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.Limit;
import dev.weir.key.KeySpace;
import dev.weir.limiter.Limiter;
import dev.weir.memory.MemoryStore;
import dev.weir.rule.action.CallerAction;
import dev.weir.rule.action.CallerActions;
import dev.weir.rule.book.RuleBook;
import dev.weir.rules.domain.DescriptorRules;
import dev.weir.rules.domain.DomainBook;
import dev.weir.rules.domain.DomainRule;
import dev.weir.rules.domain.TestDomains;
import dev.weir.rules.domain.Unit;
import dev.weir.server.rls.RlsListener.LimitReport;
import dev.weir.server.rls.RlsListener.Outcome;
import dev.weir.server.rls.RlsRequest.DescriptorQuery;
import dev.weir.server.rls.RlsRequest.LimitOverride;
import dev.weir.testkit.time.ManualTicker;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Callers of domains whom an operator blocks or exempts. */
class CallerActionsInDomainsTest {
  private static final DomainBook DOMAINS =
      TestDomains.book(
          "shop",
          at("minute").per(2, Unit.MINUTE),
          at("minute", "path").per(1, Unit.MINUTE),
          at("dark").per(1, Unit.HOUR).shadow(),
          at("quota").per(9, Unit.HOUR).quota(),
          at("strict").strict(Limit.tokenBucket(1, Duration.ofMinutes(1))),
          at("open").unlimited());

  private final KeySpace keys = KeySpace.random();
  private final List<Outcome> outcomes = new ArrayList<>();
  private final RlsEngine engine =
      new RlsEngine(
          new Limiter(
              new MemoryStore(1_000, ManualTicker.at(Duration.ofDays(20_000))),
              (rule, outcome, subject) -> {}),
          keys,
          ManualTicker.at(Duration.ofDays(20_000)),
          RlsSettings.DEFAULT,
          new RlsListener() {
            @Override
            public void onLimitChecked(
                String domain,
                String metric,
                @Nullable DomainRule rule,
                CountedBy counter,
                LimitReport report) {
              outcomes.add(report.outcome());
            }
          });

  private DescriptorRules with(boolean blocked, String rule, String key, String value) {
    Optional<String> about = rule.isEmpty() ? Optional.empty() : Optional.of(rule);
    long caller = keys.owner("shop", key, value).hash();
    CallerActions actions =
        CallerActions.of(List.of(new CallerAction("a", caller, about, blocked)));
    return DescriptorRules.of(DOMAINS, RuleBook.of(List.of(), keys).adjusted(Map.of(), actions));
  }

  private RlsReply decide(DescriptorRules rules, DescriptorQuery... queries) {
    return engine
        .decide(rules, new RlsRequest("shop", List.of(queries)))
        .toCompletableFuture()
        .join();
  }

  private static DescriptorQuery about(String... words) {
    return new DescriptorQuery(entries(words), null, 1, false);
  }

  @Test
  void blockedCallerIsDeniedByEveryLimitOfItsFirstEntry() {
    DescriptorRules rules = with(true, "", "minute", "bad");
    assertThat(decide(rules, about("minute", "bad")).over()).isTrue();
    assertThat(decide(rules, about("minute", "bad", "path", "/")).over()).isTrue();
    assertThat(decide(rules, about("minute", "good")).over()).isFalse();
    assertThat(decide(rules, about("strict", "bad")).over()).isFalse();
    assertThat(outcomes)
        .containsExactly(Outcome.OVER, Outcome.OVER, Outcome.WITHIN, Outcome.WITHIN);
  }

  @Test
  void blockByOneLimitLeavesTheOthers() {
    DescriptorRules rules = with(true, "shop/minute.path", "minute", "bad");
    assertThat(decide(rules, about("minute", "bad", "path", "/")).over()).isTrue();
    assertThat(decide(rules, about("minute", "bad")).over()).isFalse();
  }

  @Test
  void neitherShadowNorQuotaNorUnlimitedLetsABlockedCallerPass() {
    for (String key : List.of("dark", "quota", "strict", "open")) {
      DescriptorRules rules = with(true, "", key, "bad");
      assertThat(decide(rules, about(key, "bad")).over()).as(key).isTrue();
      assertThat(decide(rules, about(key, "bad"), about("quota", "other")).over()).as(key).isTrue();
    }
  }

  @Test
  void limitThatTheClientSendsDoesNotLetABlockedCallerPass() {
    DescriptorQuery override =
        new DescriptorQuery(
            entries("minute", "bad"), new LimitOverride(1_000, Unit.MINUTE), 1, false);
    assertThat(decide(with(true, "", "minute", "bad"), override).over()).isTrue();
    assertThat(decide(with(true, "shop/minute", "minute", "bad"), override).over()).isFalse();
  }

  @Test
  void exemptCallerPassesUncounted() {
    DescriptorRules rules = with(false, "", "minute", "friend");
    for (int i = 0; i < 5; i++) {
      assertThat(decide(rules, about("minute", "friend")).over()).isFalse();
    }
    assertThat(outcomes).isEmpty();
    DescriptorRules without = DescriptorRules.of(DOMAINS, RuleBook.of(List.of(), keys));
    assertThat(decide(without, about("minute", "friend")).statuses().get(0).remaining())
        .as("nothing was counted before")
        .isEqualTo(1);
  }

  @Test
  void blockedCallerMayGiveHitsBack() {
    DescriptorQuery refund = new DescriptorQuery(entries("minute", "bad"), null, 1, true);
    assertThat(decide(with(true, "", "minute", "bad"), refund).over()).isFalse();
  }
}
