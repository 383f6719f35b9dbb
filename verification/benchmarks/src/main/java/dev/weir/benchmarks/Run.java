package dev.weir.benchmarks;

import dev.weir.benchmarks.callers.CallersScenario;
import dev.weir.benchmarks.gateway.GatewayScenario;
import dev.weir.benchmarks.harness.Options;
import dev.weir.benchmarks.harness.Report;
import dev.weir.benchmarks.harness.Scenario;
import dev.weir.benchmarks.http.HttpScenario;
import dev.weir.benchmarks.lease.LeaseScenario;
import dev.weir.benchmarks.local.FloodScenario;
import dev.weir.benchmarks.local.LocalScenario;
import dev.weir.benchmarks.redis.RedisScenario;
import dev.weir.benchmarks.replay.ReplayScenario;
import dev.weir.benchmarks.rls.RlsScenario;
import dev.weir.benchmarks.rules.RulesScenario;
import dev.weir.benchmarks.size.SizeScenario;
import dev.weir.benchmarks.spring.SpringScenario;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * {@code verification/benchmarks/run}: runs a scenario by name, and fails if one of its claims
 * falls short.
 */
public final class Run {
  private static final Map<String, Scenario> SCENARIOS =
      new TreeMap<>(
          Map.of(
              "callers", new CallersScenario(),
              "local", new LocalScenario(),
              "flood", new FloodScenario(),
              "gateway", new GatewayScenario(),
              "http", new HttpScenario(),
              "lease", new LeaseScenario(),
              "redis", new RedisScenario(),
              "replay", new ReplayScenario(),
              "rls", new RlsScenario(),
              "rules", new RulesScenario(),
              "size", new SizeScenario(),
              "spring", new SpringScenario()));

  private Run() {}

  /** Exits with 0 if all claims hold, 1 if one falls short, 2 if an argument is wrong. */
  public static void main(String[] args) throws Exception {
    List<String> arguments = Arrays.asList(args);
    if (arguments.isEmpty()) {
      System.out.println("usage: verification/benchmarks/run NAME [--full] [--peer HOST:PORT]");
      SCENARIOS.forEach(
          (name, scenario) -> System.out.printf("  %-8s %s%n", name, scenario.about()));
      return;
    }
    Scenario scenario = SCENARIOS.get(arguments.get(0));
    Options options;
    try {
      options = Options.parse(arguments.subList(1, arguments.size()));
    } catch (IllegalArgumentException e) {
      options = null;
    }
    if (scenario == null || options == null || (options.peer() != null && !scenario.takesPeer())) {
      System.err.printf(
          "verification/benchmarks/run: %s (expected: one of %s, %s)%n",
          String.join(" ", args), SCENARIOS.keySet(), Options.EXPECTED);
      System.exit(2);
      return;
    }
    Report report = new Report(arguments);
    scenario.run(report, options);
    System.exit(report.finish() ? 0 : 1);
  }
}
