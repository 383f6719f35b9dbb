package dev.weir.server.rls;

import static dev.weir.rules.domain.TestDomains.at;
import static dev.weir.rules.domain.TestDomains.entries;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.Limit;
import dev.weir.key.KeySpace;
import dev.weir.limiter.Limiter;
import dev.weir.memory.MemoryStore;
import dev.weir.rule.Rule;
import dev.weir.rule.book.RuleBook;
import dev.weir.rule.condition.Condition;
import dev.weir.rules.domain.DescriptorRules;
import dev.weir.rules.domain.DomainBook;
import dev.weir.rules.domain.DomainRule;
import dev.weir.rules.domain.TestDomains;
import dev.weir.rules.domain.Unit;
import dev.weir.server.rls.RlsListener.LimitReport;
import dev.weir.server.rls.RlsListener.Outcome;
import dev.weir.server.rls.RlsRequest.DescriptorQuery;
import dev.weir.testkit.time.ManualTicker;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Decisions by a manual clock, and their reports to listeners. */
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
  private final List<String> events = new ArrayList<>();
  private final RlsListener listener =
      new RlsListener() {
        @Override
        public void onLimitChecked(
            String domain,
            String metric,
            @Nullable DomainRule rule,
            CountedBy counter,
            LimitReport report) {
          events.add(domain + "." + metric + (rule == null ? " own " : " ") + report);
        }

        @Override
        public void onUnknownDomain(String domain) {
          events.add("unknown " + domain);
        }
      };
  private final MemoryStore store = new MemoryStore(1_000, ticker);
  private final RlsEngine engine =
      new RlsEngine(
          new Limiter(store, (rule, outcome, subject) -> {}),
          keys,
          ticker,
          RlsSettings.DEFAULT,
          listener);
  private final DescriptorRules rules =
      DescriptorRules.of(
          DOMAINS,
          RuleBook.of(
              List.of(
                  Rule.named("mail")
                      .match(new Condition.OneOf("domain", Set.of("mail")))
                      .limit(Limit.fixedWindow(1, Duration.ofHours(1)))
                      .build()),
              keys));

  private RlsReply decide(String domain, DescriptorQuery... queries) {
    return engine
        .decide(rules, new RlsRequest(domain, List.of(queries)))
        .toCompletableFuture()
        .join();
  }

  private static DescriptorQuery about(long hits, String... words) {
    return new DescriptorQuery(entries(words), null, hits, false);
  }

  private void now(Duration sinceEpoch) {
    ticker.set(sinceEpoch);
  }

  @Test
  void resetIsRoundedUpToWholeSeconds() {
    now(Duration.ofDays(20_000).plusMillis(1));
    assertThat(decide("shop", about(1, "minute", "a")).statuses().get(0).resetSeconds())
        .isEqualTo(60);
    now(Duration.ofDays(20_000).plusMillis(58_999));
    assertThat(decide("shop", about(1, "minute", "a")).statuses().get(0).resetSeconds())
        .isEqualTo(2);
    now(Duration.ofDays(20_000).plusMillis(59_999));
    RlsReply.Status last = decide("shop", about(1, "minute", "a")).statuses().get(0);
    assertThat(last.over()).isTrue();
    assertThat(last.resetSeconds()).isEqualTo(1);
    now(Duration.ofDays(20_000).plusSeconds(60));
    RlsReply.Status fresh = decide("shop", about(1, "minute", "a")).statuses().get(0);
    assertThat(fresh.over()).isFalse();
    assertThat(fresh.resetSeconds()).isEqualTo(60);
  }

  @Test
  void peekAtUnusedCounterReportsTheEndOfItsWindow() {
    now(Duration.ofDays(20_000).plusMillis(59_500));
    RlsReply.Status status = decide("shop", about(0, "minute", "a")).statuses().get(0);
    assertThat(status.remaining()).isEqualTo(2);
    assertThat(status.resetSeconds()).isEqualTo(1);
  }

  @Test
  void denialByBucketReportsWhenToRetry() {
    now(Duration.ofDays(20_000));
    decide("shop", about(1, "bucket", "a"));
    RlsReply.Status denied = decide("shop", about(1, "bucket", "a")).statuses().get(0);
    assertThat(denied.over()).isTrue();
    assertThat(denied.resetSeconds()).isEqualTo(2);
  }

  @Test
  void allLimitsOfADescriptorAreEnforced() {
    now(Duration.ofDays(20_000));
    assertThat(decide("shop", about(1, "both", "a")).over()).isFalse();
    RlsReply denied = decide("shop", about(1, "both", "a"));
    assertThat(denied.over()).isTrue();
    assertThat(denied.statuses().get(0).limit()).isEqualTo(new RlsReply.Current(1, Unit.YEAR, ""));
  }

  @Test
  void endedWindowIsReset() {
    now(Duration.ofDays(20_000));
    assertThat(decide("shop", about(1, "second", "a")).over()).isFalse();
    assertThat(decide("shop", about(1, "second", "a")).over()).isTrue();
    now(Duration.ofDays(20_000).plusSeconds(1));
    assertThat(decide("shop", about(1, "second", "a")).over()).isFalse();
  }

  @Test
  void cachedOverLimitIsDroppedWhenTheClockIsSetBack() {
    RlsSettings settings = new RlsSettings(false, false, null, false, 0.8f, 1_000_000);
    RlsEngine cached =
        new RlsEngine(
            new Limiter(store, (rule, outcome, subject) -> {}), keys, ticker, settings, listener);
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
  void floodOfOneRuleTakesNoRoomFromAnother() {
    now(Duration.ofDays(20_000));
    for (int i = 0; i < 1_100; i++) {
      decide("shop", about(1, "day", "caller " + i));
    }
    assertThat(store.overflowed()).isEqualTo(100);
    for (int i = 0; i < 20; i++) {
      RlsReply.Status status =
          decide("shop", about(1, "another day", "caller " + i)).statuses().get(0);
      assertThat(status.over()).isFalse();
      assertThat(status.remaining()).isEqualTo(1);
    }
    assertThat(store.overflowed()).isEqualTo(100);
  }

  @Test
  void ruleCanMatchTheDomain() {
    now(Duration.ofDays(20_000));
    assertThat(decide("mail", about(1, "any", "a")).over()).isFalse();
    assertThat(decide("mail", about(1, "other", "b")).over()).isTrue();
    assertThat(decide("shop", about(1, "any", "a")).over()).isFalse();
  }

  @Test
  void listenerReceivesEachLimitedDescriptor() {
    now(Duration.ofDays(20_000));
    decide("shop", about(3, "minute", "a"), about(1, "nothing", "a"), about(2, "dark", "a"));
    decide("nowhere", about(1, "minute", "a"));
    decide(
        "shop",
        new DescriptorQuery(
            entries("x", "y", "z", ""), new RlsRequest.LimitOverride(5, Unit.DAY), 1, false),
        new DescriptorQuery(entries("minute", "a"), null, 2, true));
    assertThat(events)
        .containsExactly(
            "shop.minute " + new LimitReport(Outcome.OVER, 3, 2, 3, false),
            "shop.dark " + new LimitReport(Outcome.SHADOW_OVER, 2, 1, 2, false),
            "unknown nowhere",
            "shop.override own " + new LimitReport(Outcome.WITHIN, 1, 5, 1, false),
            "shop.minute " + new LimitReport(Outcome.WITHIN, -2, 2, 1, false));
  }
}
