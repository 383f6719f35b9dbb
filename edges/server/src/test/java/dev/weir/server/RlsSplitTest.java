package dev.weir.server;

import static dev.weir.server.RlsClient.costing;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.Limit;
import dev.weir.memory.MemoryStore;
import dev.weir.rules.domain.DomainBook;
import dev.weir.rules.domain.TestDomains;
import dev.weir.rules.domain.TestDomains.At;
import dev.weir.rules.domain.Unit;
import dev.weir.server.rls.RlsSettings;
import dev.weir.server.settings.MetricsSettings;
import dev.weir.server.settings.MetricsSettings.Names;
import dev.weir.server.settings.ServerSettings;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Hits are within, near or over as if each had come alone; each hit is counted exactly once. */
class RlsSplitTest {
  private static final long SEED = Long.getLong("weir.seed", 20_260_717);
  private static final int RULES = 12;
  private static final int CALLS = 500;

  /** A rule, and the counts that its documentation promises. */
  private static final class Model {
    final String name;
    final int limit;
    final boolean strict;
    final boolean shadow;
    final int near;
    final Map<String, Integer> counters = new HashMap<>();
    final int[] counts = new int[3];

    Model(String name, Random random, BigDecimal ratio) {
      this.name = name;
      this.limit = 1 + random.nextInt(random.nextBoolean() ? 5 : 200);
      this.strict = random.nextBoolean();
      this.shadow = random.nextInt(4) == 0;
      this.near =
          ratio.multiply(BigDecimal.valueOf(limit)).setScale(0, RoundingMode.FLOOR).intValue();
    }

    At at() {
      At at = TestDomains.at(name);
      at =
          strict
              ? at.strict(Limit.fixedWindow(limit, Unit.YEAR.duration()))
              : at.per(limit, Unit.YEAR);
      return shadow ? at.shadow() : at;
    }

    void count(String value, int hits) {
      int counted = counters.getOrDefault(value, 0);
      if (strict && counted + hits > limit) {
        counts[2] += hits;
        return;
      }
      for (int i = 0; i < hits; i++) {
        counted++;
        counts[counted > limit ? 2 : counted > near ? 1 : 0]++;
      }
      counters.put(value, counted);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"0.8", "0.29", "0", "1", "0.333333"})
  void hitsAreSplitAsIfEachCameAlone(String ratio) {
    System.out.println("RlsSplitTest: -Dweir.seed=" + SEED + ", ratio " + ratio);
    Random random = new Random(SEED);
    List<Model> models = new ArrayList<>();
    for (int i = 0; i < RULES; i++) {
      models.add(new Model("rule" + i, random, new BigDecimal(ratio)));
    }
    DomainBook book = TestDomains.book("shop", models.stream().map(Model::at).toArray(At[]::new));
    ServerSettings settings =
        ServerSettings.DEFAULT
            .withRls(new RlsSettings(false, false, null, false, Double.parseDouble(ratio), 0))
            .withMetrics(new MetricsSettings(Set.of(Names.WEIR, Names.ENVOY), null));
    try (TestServer served =
            TestServer.with(RlsContract.NO_RULES, settings, new MemoryStore(), book);
        RlsClient client = new RlsClient(served.server.grpcPort())) {
      int all = 0;
      for (int i = 0; i < CALLS; i++) {
        Model model = models.get(random.nextInt(RULES));
        int hits = random.nextInt(random.nextInt(10) == 0 ? 300 : 6);
        String value = "v" + random.nextInt(3);
        client.ask(costing(hits, model.name, value));
        model.count(value, hits);
        all += hits;
      }
      check(new PrometheusText(served.admin("GET", "/metrics", "").body()), models, all);
    }
  }

  private static void check(PrometheusText counts, List<Model> models, int all) {
    assertThat(counts.sum("weir_rls_hits_total")).isEqualTo(all);
    assertThat(counts.sum("ratelimit_service_rate_limit_total_hits")).isEqualTo(all);
    for (Model model : models) {
      String[] stats = {"within_limit", "near_limit", "over_limit"};
      for (int i = 0; i < stats.length; i++) {
        // Near hits are within the limit as well, there and here.
        int expected = i == 0 ? model.counts[0] + model.counts[1] : model.counts[i];
        assertThat(envoy(counts, stats[i], model))
            .as(model.name + " " + stats[i] + " of " + model.limit)
            .isEqualTo(expected);
      }
      assertThat(envoy(counts, "shadow_mode", model)).isEqualTo(model.shadow ? model.counts[2] : 0);
      String over = model.shadow ? "shadow-over" : "over";
      String[] labels = {"domain", "shop", "rule", model.name, "outcome", over};
      assertThat(counts.value("weir_rls_hits_total", labels)).isEqualTo(model.counts[2]);
    }
  }

  private static double envoy(PrometheusText counts, String stat, Model model) {
    String name = "ratelimit_service_rate_limit_" + stat;
    return counts.value(name, "domain", "shop", "key1", model.name);
  }
}
