package dev.weir.server.rls;

import static dev.weir.domain.TestDomains.at;
import static dev.weir.domain.TestDomains.entries;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.Limit;
import dev.weir.domain.DomainBook;
import dev.weir.domain.DomainRule;
import dev.weir.domain.TestDomains;
import dev.weir.domain.Unit;
import dev.weir.key.KeySpace;
import dev.weir.memory.MemoryStore;
import dev.weir.rule.Condition;
import dev.weir.rule.Rule;
import dev.weir.rule.RuleBook;
import dev.weir.server.rls.RlsRequest.Question;
import dev.weir.server.rls.RlsWatcher.Outcome;
import dev.weir.server.rls.RlsWatcher.Told;
import dev.weir.testkit.ManualTicker;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Decisions by a clock that stands still, and what watchers hear of them. */
class RlsEngineTest {
  private static final Duration YEAR = Unit.YEAR.duration();
  private static final DomainBook DOMAINS =
      TestDomains.book(
          "shop",
          at("minute").per(2, Unit.MINUTE),
          at("dark").per(1, Unit.HOUR).shadow(),
          at("bucket").strict(Limit.tokenBucket(1, Duration.ofMillis(1_500))),
          at("second").per(1, Unit.SECOND),
          at("day").per(2, Unit.DAY),
          at("another day").per(2, Unit.DAY),
          at("both").each(Limit.fixedWindow(1, YEAR), Limit.fixedWindow(9, Duration.ofDays(1))));

  private final ManualTicker ticker = new ManualTicker(0);
  private final KeySpace keys = KeySpace.random();
  private final List<String> heard = new ArrayList<>();
  private final RlsWatcher watcher =
      new RlsWatcher() {
        @Override
        public void told(String domain, String metric, @Nullable DomainRule rule, Told told) {
          heard.add(domain + "." + metric + (rule == null ? " own " : " ") + told);
        }

        @Override
        public void unknown(String domain) {
          heard.add("unknown " + domain);
        }
      };
  private final MemoryStore store = new MemoryStore(1_000, ticker);
  private final RlsEngine engine =
      new RlsEngine(store, null, keys, ticker, RlsSettings.DEFAULT, watcher, (rule, outcome) -> {});
  private final RlsRules rules =
      RlsRules.of(
          DOMAINS,
          RuleBook.of(
              List.of(
                  Rule.named("mail")
                      .match(new Condition.OneOf("domain", Set.of("mail")))
                      .limit(Limit.fixedWindow(1, Duration.ofHours(1)))
                      .build()),
              keys),
          keys);

  private RlsReply ask(String domain, Question... questions) {
    return engine
        .decide(rules, new RlsRequest(domain, List.of(questions)))
        .toCompletableFuture()
        .join();
  }

  private static Question about(long hits, String... words) {
    return new Question(entries(words), null, hits, false);
  }

  private void now(Duration sinceEpoch) {
    ticker.set(sinceEpoch);
  }

  @Test
  void timeUntilTheResetIsRoundedUpToWholeSeconds() {
    now(Duration.ofDays(20_000).plusMillis(1));
    assertThat(ask("shop", about(1, "minute", "a")).statuses().get(0).resetSeconds()).isEqualTo(60);
    now(Duration.ofDays(20_000).plusMillis(58_999));
    assertThat(ask("shop", about(1, "minute", "a")).statuses().get(0).resetSeconds()).isEqualTo(2);
    now(Duration.ofDays(20_000).plusMillis(59_999));
    RlsReply.Status last = ask("shop", about(1, "minute", "a")).statuses().get(0);
    assertThat(last.over()).isTrue();
    assertThat(last.resetSeconds()).isEqualTo(1);
    now(Duration.ofDays(20_000).plusSeconds(60));
    RlsReply.Status fresh = ask("shop", about(1, "minute", "a")).statuses().get(0);
    assertThat(fresh.over()).isFalse();
    assertThat(fresh.resetSeconds()).isEqualTo(60);
  }

  @Test
  void aLookAtACounterThatNobodyUsedTellsWhenItsWindowEnds() {
    now(Duration.ofDays(20_000).plusMillis(59_500));
    RlsReply.Status status = ask("shop", about(0, "minute", "a")).statuses().get(0);
    assertThat(status.remaining()).isEqualTo(2);
    assertThat(status.resetSeconds()).isEqualTo(1);
  }

  @Test
  void whoIsDeniedByABucketIsToldWhenToComeAgain() {
    now(Duration.ofDays(20_000));
    ask("shop", about(1, "bucket", "a"));
    RlsReply.Status denied = ask("shop", about(1, "bucket", "a")).statuses().get(0);
    assertThat(denied.over()).isTrue();
    assertThat(denied.resetSeconds()).isEqualTo(2);
  }

  @Test
  void severalLimitsOfOneDescriptorAllHold() {
    now(Duration.ofDays(20_000));
    assertThat(ask("shop", about(1, "both", "a")).over()).isFalse();
    RlsReply denied = ask("shop", about(1, "both", "a"));
    assertThat(denied.over()).isTrue();
    assertThat(denied.statuses().get(0).limit()).isEqualTo(new RlsReply.Current(1, Unit.YEAR, ""));
  }

  @Test
  void aWindowThatHasEndedIsForgotten() {
    now(Duration.ofDays(20_000));
    assertThat(ask("shop", about(1, "second", "a")).over()).isFalse();
    assertThat(ask("shop", about(1, "second", "a")).over()).isTrue();
    now(Duration.ofDays(20_000).plusSeconds(1));
    assertThat(ask("shop", about(1, "second", "a")).over()).isFalse();
  }

  @Test
  void aCounterKnownToBeOverItsLimitIsForgottenWhenTheClockIsSetBack() {
    RlsSettings settings = new RlsSettings(false, false, null, false, 0.8f, 1_000_000);
    RlsEngine cached =
        new RlsEngine(store, null, keys, ticker, settings, watcher, (rule, outcome) -> {});
    RlsRequest request = new RlsRequest("shop", List.of(about(1, "minute", "a")));
    now(Duration.ofDays(20_001));
    for (int i = 0; i < 4; i++) {
      cached.decide(rules, request).toCompletableFuture().join();
    }
    assertThat(cached.decide(rules, request).toCompletableFuture().join().over()).isTrue();
    now(Duration.ofDays(20_000));
    assertThat(cached.decide(rules, request).toCompletableFuture().join().over()).isFalse();
  }

  @Test
  void aFloodUnderOneRuleCostsAnotherRuleOfTheSameLimitNoRoom() {
    now(Duration.ofDays(20_000));
    for (int i = 0; i < 1_100; i++) {
      ask("shop", about(1, "day", "caller " + i));
    }
    assertThat(store.overflowed()).isEqualTo(100);
    for (int i = 0; i < 20; i++) {
      RlsReply.Status status =
          ask("shop", about(1, "another day", "caller " + i)).statuses().get(0);
      assertThat(status.over()).isFalse();
      assertThat(status.remaining()).isEqualTo(1);
    }
    assertThat(store.overflowed()).isEqualTo(100);
  }

  @Test
  void aRuleCanSpeakOfTheDomain() {
    now(Duration.ofDays(20_000));
    assertThat(ask("mail", about(1, "any", "a")).over()).isFalse();
    assertThat(ask("mail", about(1, "other", "b")).over()).isTrue();
    assertThat(ask("shop", about(1, "any", "a")).over()).isFalse();
  }

  @Test
  void watchersHearOfEachDescriptorThatIsLimited() {
    now(Duration.ofDays(20_000));
    ask("shop", about(3, "minute", "a"), about(1, "nothing", "a"), about(2, "dark", "a"));
    ask("nowhere", about(1, "minute", "a"));
    ask(
        "shop",
        new Question(entries("x", "y", "z", ""), new RlsRequest.Instead(5, Unit.DAY), 1, false),
        new Question(entries("minute", "a"), null, 2, true));
    assertThat(heard)
        .containsExactly(
            "shop.minute " + new Told(Outcome.OVER, 3, 2, 3, false),
            "shop.dark " + new Told(Outcome.SHADOW_OVER, 2, 1, 2, false),
            "unknown nowhere",
            "shop.override own " + new Told(Outcome.WITHIN, 1, 5, 1, false),
            "shop.minute " + new Told(Outcome.WITHIN, -2, 2, 1, false));
  }
}
