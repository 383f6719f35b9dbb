package dev.weir.server.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.rule.FailureMode;
import dev.weir.rules.domain.DomainBook;
import dev.weir.rules.domain.DomainRule;
import dev.weir.rules.domain.DomainRule.Enforcement;
import dev.weir.rules.domain.DomainRule.Rate;
import dev.weir.rules.domain.DomainRule.Reporting;
import dev.weir.rules.domain.Unit;
import dev.weir.server.exposition.Exposition;
import dev.weir.server.reply.DegradedCounters;
import dev.weir.server.rls.RlsListener.CountedBy;
import dev.weir.server.rls.RlsListener.LimitReport;
import dev.weir.server.rls.RlsListener.Outcome;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

class SeriesTableTest {
  private static final NearLimit NEAR = new NearLimit(0.8);
  private static final LimitReport ONE = new LimitReport(Outcome.WITHIN, 1, 10, 1, false);
  private static final int THREADS = 4;
  private static final int EACH = 5_000;

  private final SeriesTable table = new SeriesTable();

  private static DomainRule rule(String path) {
    Rate rate = Rate.of(10, Unit.DAY, false);
    return new DomainRule(
        path, rate, "", Set.of(), Enforcement.of(FailureMode.ALLOW), Reporting.PLAIN);
  }

  @Test
  void rulesBeyondTheMaximumAreCountedTogether() {
    for (int i = 0; i < 3 * SeriesTable.MAX_SERIES; i++) {
      table.of("d", "r" + i, rule("d.r" + i)).add(ONE, NEAR);
    }
    List<Series> all = table.all();
    assertThat(all).hasSize(SeriesTable.MAX_SERIES + 1);
    Series others = all.get(SeriesTable.MAX_SERIES);
    assertThat(others.domain + "." + others.rule).isEqualTo("other.other");
    assertThat(others.hits(Series.Kind.WITHIN)).isEqualTo(2 * SeriesTable.MAX_SERIES);
  }

  @Test
  void concurrentHitsAreAllCountedWithinTheBound() throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(THREADS);
    DomainRule rule = rule("d.key");
    List<Future<?>> done = new ArrayList<>();
    for (int i = 0; i < THREADS; i++) {
      done.add(
          threads.submit(
              () -> {
                for (int j = 0; j < EACH; j++) {
                  table.of("d", "key_" + j, rule).add(ONE, NEAR);
                }
              }));
    }
    for (Future<?> one : done) {
      one.get();
    }
    threads.shutdown();
    List<Series> all = table.all();
    assertThat(all).hasSize(SeriesTable.MAX_BY_VALUE + 1);
    assertThat(all.stream().mapToDouble(one -> one.hits(Series.Kind.WITHIN)).sum())
        .isEqualTo(THREADS * EACH);
  }

  @Test
  void countsDoNotOverflow() {
    Series series = table.of("d", "r", rule("d.r"));
    for (int i = 0; i < 5_000; i++) {
      series.add(new LimitReport(Outcome.OVER, 1L << 51, 10, 1L << 52, false), NEAR);
    }
    assertThat(EnvoyStat.TOTAL_HITS.count(series)).isEqualTo(5_000 * 0x1p51);
    assertThat(new Exposition().sample(series.hits(Series.Kind.OVER)).toString())
        .isEqualTo(" " + Long.MAX_VALUE + "\n");
  }

  @Test
  void seriesIsFoundAgain() {
    assertThat(table.of("d", "r", rule("d.r"))).isSameAs(table.of("d", "r", rule("d.r")));
    assertThat(table.of("d", "r", rule("d.r"))).isNotSameAs(table.of("e", "r", rule("e.r")));
  }

  @Test
  void statsdNameThatLooksLikeAnAddressIsOneLabel() {
    RlsStats stats = new RlsStats(0.8, new DegradedCounters());
    stats.onLimitChecked("1.2.3", "4", rule("1.2.3.4"), new CountedBy(List.of(), 1, false), ONE);
    ServerStatus status =
        new ServerStatus(() -> DomainBook.EMPTY, () -> 1, () -> 0, () -> 0, Optional.empty());
    Exposition page = new Exposition();
    new EnvoyMetrics(stats, status).accept(page);
    assertThat(page.toString())
        .contains("ratelimit_service_rate_limit_total_hits{domain=\"1_2_3_4\"} 1\n");
  }

  @Test
  void nearThresholdIsRoundedDownOnce() {
    assertThat(new NearLimit(0.29).threshold(100)).isEqualTo(29);
    assertThat(new NearLimit(0.8).threshold(4)).isEqualTo(3);
    assertThat(new NearLimit(0.8).threshold(1L << 51)).isEqualTo((1L << 51) / 5 * 4 + 2);
    assertThat(new NearLimit(1).threshold(7)).isEqualTo(7);
    assertThat(new NearLimit(0).threshold(7)).isZero();
  }
}
