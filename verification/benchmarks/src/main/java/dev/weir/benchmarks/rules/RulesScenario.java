package dev.weir.benchmarks.rules;

import static java.util.Objects.requireNonNull;

import dev.weir.benchmarks.harness.Options;
import dev.weir.benchmarks.harness.Report;
import dev.weir.benchmarks.harness.Scenario;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;

/** Measures how long rules take to turn a request into claims, compared with the store. */
public final class RulesScenario implements Scenario {
  @Override
  public String about() {
    return "request to claims: ten and a thousand rules, beside the store's own time; tokens";
  }

  @Override
  public void run(Report report, Options options) throws Exception {
    boolean full = options.full();
    Map<String, Double> nanos = new HashMap<>();
    nanos.putAll(jmh(RulesBenchmark.class, full));
    nanos.putAll(jmh(TokenBenchmark.class, full));
    double ten = requireNonNull(nanos.get("tenRules"));
    double thousand = requireNonNull(nanos.get("thousandRules"));
    double store = requireNonNull(nanos.get("store"));
    report.line("Nanoseconds per request, of which " + SampleRules.MATCHING + " rules match:");
    report.line("");
    line(report, "request to claims, 10 rules", ten);
    line(report, "request to claims, 1,000 rules", thousand);
    line(report, "the in-process store taking those claims", store);
    line(report, "a claim of a token seen before", requireNonNull(nanos.get("hit")));
    line(report, "a claim of a token not seen before", requireNonNull(nanos.get("miss")));
    report.line("");
    report.line("A thousand rules over ten that differ in one kind of condition, one matching:");
    report.line("");
    double worst = 0;
    Map<String, Double> kinds = jmh(KindsBenchmark.class, full);
    for (RulesOfKind kind : RulesOfKind.values()) {
      double few = requireNonNull(kinds.get("ten " + kind));
      double many = requireNonNull(kinds.get("thousand " + kind));
      worst = Math.max(worst, many / few);
      report.line(
          String.format(Locale.ROOT, "- %s: %.2f (%.0f ns, %.0f)", kind, many / few, few, many));
    }
    report.claimAtMost("ten-rules-micros", 2, ten / 1_000);
    report.claimAtMost("per-claim-over-store", 3, ten / store);
    report.claimAtMost("thousand-rules-over-ten", 3, thousand / ten);
    report.claimAtMost("thousand-of-any-kind-over-ten", 3, worst);
  }

  private static void line(Report report, String label, double nanos) {
    report.line(String.format(Locale.ROOT, "- %s: %.0f", label, nanos));
  }

  private static Map<String, Double> jmh(Class<?> type, boolean full) throws RunnerException {
    var options =
        new OptionsBuilder()
            .include(type.getName())
            .forks(full ? 3 : 1)
            .warmupIterations(full ? 5 : 3)
            .warmupTime(TimeValue.seconds(1))
            .measurementIterations(full ? 10 : 5)
            .measurementTime(TimeValue.seconds(1))
            .jvmArgs("-Xms1g", "-Xmx1g")
            .verbosity(VerboseMode.SILENT)
            .build();
    Map<String, Double> nanos = new HashMap<>();
    for (var run : new Runner(options).run()) {
      String kind = run.getParams().getParam("kind");
      String label = run.getPrimaryResult().getLabel();
      nanos.put(kind == null ? label : label + " " + kind, run.getPrimaryResult().getScore());
    }
    return nanos;
  }
}
