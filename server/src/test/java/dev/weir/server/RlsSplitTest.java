package dev.weir.server;

import static dev.weir.server.RlsClient.costing;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.Limit;
import dev.weir.domain.DomainBook;
import dev.weir.domain.TestDomains;
import dev.weir.domain.TestDomains.At;
import dev.weir.domain.Unit;
import dev.weir.memory.MemoryStore;
import dev.weir.server.MetricsSettings.Names;
import dev.weir.server.rls.RlsSettings;
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

/** Hits are within, near or over as if each had come alone, and no hit is lost or told twice. */
class RlsSplitTest {
  private static final long SEED = Long.getLong("weir.seed", 20_260_717);
  private static final int RULES = 12;
  private static final int CALLS = 500;

  /** A rule, and what a reader of its documentation would count. */
  private static final class Model {
    final String name;
    final int limit;
    final boolean strict;
    final boolean shadow;
    final int near;
    final Map<String, Integer> counters = new HashMap<>();
    final int[] told = new int[3];

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
        told[2] += hits;
        return;
      }
      for (int i = 0; i < hits; i++) {
        counted++;
        told[counted > limit ? 2 : counted > near ? 1 : 0]++;
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
    try (Served served = Served.with(RlsContract.NO_RULES, settings, new MemoryStore(), book);
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

  private static void check(PrometheusText told, List<Model> models, int all) {
    assertThat(told.sum("weir_rls_hits_total")).isEqualTo(all);
    assertThat(told.sum("ratelimit_service_rate_limit_total_hits")).isEqualTo(all);
    for (Model model : models) {
      String[] stats = {"within_limit", "near_limit", "over_limit"};
      for (int i = 0; i < stats.length; i++) {
        // What is near is within as well, there and here.
        int expected = i == 0 ? model.told[0] + model.told[1] : model.told[i];
        assertThat(envoy(told, stats[i], model))
            .as(model.name + " " + stats[i] + " of " + model.limit)
            .isEqualTo(expected);
      }
      assertThat(envoy(told, "shadow_mode", model)).isEqualTo(model.shadow ? model.told[2] : 0);
      String over = model.shadow ? "shadow-over" : "over";
      String[] labels = {"domain", "shop", "rule", model.name, "outcome", over};
      assertThat(told.value("weir_rls_hits_total", labels)).isEqualTo(model.told[2]);
    }
  }

  private static double envoy(PrometheusText told, String stat, Model model) {
    String name = "ratelimit_service_rate_limit_" + stat;
    return told.value(name, "domain", "shop", "key1", model.name);
  }
}
