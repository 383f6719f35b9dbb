package dev.weir.benchmarks.gateway;

import static java.util.Objects.requireNonNull;

import dev.weir.benchmarks.harness.Options;
import dev.weir.benchmarks.harness.Report;
import dev.weir.benchmarks.harness.Rounds;
import dev.weir.benchmarks.harness.Scenario;
import dev.weir.benchmarks.harness.Workers;
import dev.weir.benchmarks.server.Cores;
import dev.weir.benchmarks.server.Load;
import dev.weir.benchmarks.server.Round;
import dev.weir.benchmarks.server.Server;
import dev.weir.benchmarks.server.SpringApps;
import dev.weir.benchmarks.server.SpringApps.App;
import dev.weir.benchmarks.server.Tools;
import dev.weir.benchmarks.server.WarmUp;
import dev.weir.testkit.redis.RedisBinary;
import dev.weir.testkit.redis.RedisServer;
import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Measures {@code weir gateway}, beside other proxies in front of the same upstream. */
public final class GatewayScenario implements Scenario {
  /** A contestant that used less of its core than this was not what limited the throughput. */
  private static final double BUSY = 0.9;

  private static final String DIRECT = "direct, no proxy";
  private static final String NGINX = "NGINX, plain proxy";
  private static final String NO_RULES = "weir, no rules";
  private static final String FIVE_RULES = "weir, five rules";
  private static final String ON_REDIS = "weir, one rule on Redis";
  private static final String SPRING = "Spring Cloud Gateway, RequestRateLimiter on Redis";
  private static final String ENVOY = "Envoy, envoyproxy/ratelimit on Redis";

  /** How long to measure. */
  private record Effort(int rounds, int millis) {}

  @Override
  public String about() {
    return "weir gateway beside NGINX, Spring Cloud Gateway and Envoy: throughput, added latency";
  }

  @Override
  public void run(Report report, Options options) throws Exception {
    WeirGateway.build();
    boolean hasSpring = SpringApps.build();
    Effort effort = options.full() ? new Effort(9, 5_000) : new Effort(5, 1_800);
    describe(report, hasSpring);
    try (Templates templates = Templates.inTemporaryDirectory("weir-gateway");
        Server upstream = Upstream.start(templates);
        Workers workers = new Workers(1, 512, Load.launch(), Load.class)) {
      Bench bench = new Bench(report, workers, templates, upstream.port(), effort);
      embedded(bench);
      onRedis(bench, hasSpring);
    }
  }

  /** What the measurements share. */
  private record Bench(
      Report report, Workers workers, Templates templates, int upstream, Effort effort) {

    Rounds<String, Round> closedLoop(Map<String, Server> servers)
        throws IOException, InterruptedException {
      for (Map.Entry<String, Server> server : servers.entrySet()) {
        if (!WarmUp.run(server.getValue(), workers)) {
          report.line("");
          report.line("Do not trust \"" + server.getKey() + "\": it was still getting faster.");
        }
      }
      return Rounds.run(
          servers.keySet(),
          1,
          effort.rounds,
          name -> named(name, () -> Round.closedLoop(get(servers, name), workers, effort.millis)));
    }

    Rounds<String, Round> openLoop(Map<String, Server> servers, Set<String> names, long perSecond)
        throws IOException {
      return Rounds.run(
          names,
          1,
          effort.rounds,
          name ->
              named(
                  name,
                  () -> Round.openLoop(get(servers, name), workers, perSecond, effort.millis)));
    }

    private static Server get(Map<String, Server> servers, String name) {
      return requireNonNull(servers.get(name), name);
    }

    private static Round named(String name, Turn turn) throws IOException {
      try {
        return turn.run();
      } catch (IllegalStateException e) {
        throw new IllegalStateException(name + ": " + e.getMessage(), e);
      }
    }

    /** One turn of a contestant. */
    private interface Turn {
      Round run() throws IOException;
    }
  }

  private static void describe(Report report, boolean hasSpring) throws IOException {
    report.line(Cores.describe());
    report.line("Every contestant is a process of its own, in front of the same upstream,");
    report.line("and is loaded until it gets no faster before it is measured.");
    report.line("Medians of rounds in which all take turns, and of their ratios.");
    report.line("");
    Optional<Path> nginx = Tools.find("nginx");
    report.line(
        nginx.isPresent()
            ? "- " + Tools.output(nginx.get().toString(), "-v") + ", also the upstream"
            : "- NGINX not installed: not measured; the upstream is a Vert.x server");
    report.line("- Redis " + RedisBinary.chosen().version());
    report.line(
        hasSpring
            ? "- Spring Cloud Gateway "
                + SpringApps.version(App.GATEWAY, "spring-cloud-gateway-server-webflux")
            : "- Spring Cloud Gateway not built (see Maven's output): not measured");
    report.line(
        Envoy.find().isPresent()
            ? "- " + Tools.output("envoy", "--version")
            : "- Envoy or envoyproxy/ratelimit not on the PATH: not measured");
  }

  private static void embedded(Bench bench) throws Exception {
    Map<String, Server> servers = new LinkedHashMap<>();
    try {
      servers.put(DIRECT, new Server(bench.upstream));
      Optional<Path> nginx = Tools.find("nginx");
      if (nginx.isPresent()) {
        servers.put(NGINX, Nginx.start(nginx.get(), bench.templates, bench.upstream));
      }
      servers.put(NO_RULES, weir(bench, "no-rules.yaml", "embedded"));
      servers.put(FIVE_RULES, weir(bench, "five-rules.yaml", "embedded"));
      Rounds<String, Round> rounds = bench.closedLoop(servers);
      reportThroughput(bench.report, rounds, "64 connections, counters in the gateway");
      if (nginx.isPresent()) {
        bench.report.claimAtLeast(
            "five-rules-over-nginx", 0.6, rounds.ratio(FIVE_RULES, NGINX, Round::perSecond));
      }
      bench.report.claimAtLeast(
          "five-rules-over-none", 0.9, rounds.ratio(FIVE_RULES, NO_RULES, Round::perSecond));
      halfLoad(bench, servers, Math.round(rounds.median(FIVE_RULES, Round::perSecond) / 2));
    } finally {
      servers.values().forEach(Server::close);
    }
  }

  /** Latency at half of the load that the gateway can bear. */
  private static void halfLoad(Bench bench, Map<String, Server> servers, long perSecond)
      throws IOException {
    Set<String> measured = new LinkedHashSet<>(servers.keySet());
    measured.remove(NO_RULES);
    Rounds<String, Round> rounds = bench.openLoop(servers, measured, perSecond);
    Report report = bench.report;
    report.line("");
    report.line(
        "Open loop at random times, %d/s, half of what the gateway bears with five rules:"
            .formatted(perSecond));
    report.line("");
    report.line("| | p50 µs | p99 µs | of which sent late, p50 µs | failed |");
    report.line("|---|---|---|---|---|");
    for (String name : rounds.all()) {
      report.line(
          String.format(
              Locale.ROOT,
              "| %s | %.0f | %.0f | %.0f | %.2f %% |",
              name,
              rounds.median(name, Round::p50Micros),
              rounds.median(name, Round::p99Micros),
              rounds.median(name, Round::lateMicros),
              100 * rounds.max(name, Round::failed)));
    }
    report.claimAtMost(
        "added-p50-millis-at-half-load",
        0.3,
        (rounds.median(FIVE_RULES, Round::p50Micros) - rounds.median(DIRECT, Round::p50Micros))
            / 1e3);
    report.claimAtMost("failed-at-half-load", 0, rounds.max(FIVE_RULES, Round::failed));
  }

  private static void onRedis(Bench bench, boolean hasSpring) throws Exception {
    Map<String, Server> servers = new LinkedHashMap<>();
    try (RedisServer redis = RedisServer.start(RedisBinary.chosen())) {
      Cores.moveToOthers(Long.parseLong(redis.info("server", "process_id")));
      servers.put(ON_REDIS, weir(bench, "one-rule.yaml", redis.url()));
      if (hasSpring) {
        servers.put(SPRING, springCloudGateway(bench, redis.url()));
      }
      Optional<Envoy> envoy = Envoy.find();
      if (envoy.isPresent()) {
        servers.put(ENVOY, envoy.get().start(bench.templates, redis.port(), bench.upstream));
      }
      Rounds<String, Round> rounds = bench.closedLoop(servers);
      reportThroughput(bench.report, rounds, "64 connections, one token bucket per key on Redis");
      if (hasSpring) {
        bench.report.claimAtLeast(
            "redis-over-spring-cloud-gateway", 2, rounds.ratio(ON_REDIS, SPRING, Round::perSecond));
      }
    } finally {
      servers.values().forEach(Server::close);
    }
  }

  private static Server springCloudGateway(Bench bench, String redis) throws Exception {
    String upstream = "upstream=http://127.0.0.1:" + bench.upstream;
    Path directory = bench.templates.directory();
    return SpringApps.start(App.GATEWAY, directory, "limited", List.of(upstream, "redis=" + redis));
  }

  private static Server weir(Bench bench, String rules, String store) throws Exception {
    return WeirGateway.start(bench.templates, rules, store, bench.upstream);
  }

  private static void reportThroughput(Report report, Rounds<String, Round> rounds, String title) {
    report.line("");
    report.line(title + ":");
    report.line("");
    report.line("| | requests/s | p50 µs | p99 µs | its CPU µs/request | its core busy |");
    report.line("|---|---|---|---|---|---|");
    for (String name : rounds.all()) {
      boolean direct = name.equals(DIRECT);
      report.line(
          String.format(
              Locale.ROOT,
              "| %s | %.0f | %.0f | %.0f | %s | %s |",
              name,
              rounds.median(name, Round::perSecond),
              rounds.median(name, Round::p50Micros),
              rounds.median(name, Round::p99Micros),
              direct ? "" : "%.1f".formatted(rounds.median(name, Round::cpuMicros)),
              direct ? "" : "%.0f %%".formatted(100 * rounds.median(name, Round::busy))));
    }
    for (String name : rounds.all()) {
      if (!name.equals(DIRECT) && rounds.median(name, Round::busy) < BUSY) {
        report.line("");
        report.line(
            "Do not trust \"" + name + "\": others used its core, or it was not the bottleneck.");
      }
    }
  }
}
