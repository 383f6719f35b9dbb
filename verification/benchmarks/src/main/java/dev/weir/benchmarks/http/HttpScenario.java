package dev.weir.benchmarks.http;

import static java.util.Objects.requireNonNull;

import dev.weir.benchmarks.harness.Options;
import dev.weir.benchmarks.harness.Report;
import dev.weir.benchmarks.harness.Scenario;
import dev.weir.key.KeySpace;
import dev.weir.memory.MemoryStore;
import dev.weir.rules.RulesLoader;
import dev.weir.rules.source.RuleFiles;
import dev.weir.rules.source.RulesFileWatcher;
import dev.weir.server.WeirServer;
import dev.weir.server.settings.ServerSettings;
import io.vertx.core.DeploymentOptions;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;

/** Measures {@code /v1/check}, compared with an empty handler on the same stack in the same run. */
public final class HttpScenario implements Scenario {
  private static final int CONNECTIONS = 32;

  /** The result of one round. */
  private record Round(double perSecond, double p50, double p99) {}

  @Override
  public String about() {
    return "/v1/check over HTTP/1.1: five matching rules beside an empty handler; a thousand rules";
  }

  @Override
  public void run(Report report, Options options) throws Exception {
    boolean full = options.full();
    Vertx vertx = Vertx.vertx(new VertxOptions().setPreferNativeTransport(true));
    Map<String, List<Round>> rounds = new HashMap<>();
    try (WeirServer ten = serve(10);
        WeirServer thousand = serve(1_000)) {
      Map<String, Integer> ports = new HashMap<>();
      ports.put("empty handler", empty(vertx));
      ports.put("10 rules", ten.port());
      ports.put("1000 rules", thousand.port());
      for (int round = 0; round < (full ? 9 : 5); round++) {
        for (Map.Entry<String, Integer> server : ports.entrySet()) {
          Round measured = load(server.getValue(), full ? 5_000 : 2_000);
          if (round > 0) { // the first one warms up
            rounds.computeIfAbsent(server.getKey(), absent -> new ArrayList<>()).add(measured);
          }
        }
      }
    } finally {
      vertx.close().await();
    }
    report(report, rounds);
  }

  private static void report(Report report, Map<String, List<Round>> rounds) {
    report.line("Medians of rounds in which all take turns; the load comes from the same cores:");
    report.line("");
    report.line("| | requests/s | p50 µs | p99 µs |");
    report.line("|---|---|---|---|");
    Map<String, Round> medians = new HashMap<>();
    for (String name : List.of("empty handler", "10 rules", "1000 rules")) {
      List<Round> all = requireNonNull(rounds.get(name));
      Round median =
          new Round(
              median(all.stream().map(Round::perSecond).toList()),
              median(all.stream().map(Round::p50).toList()),
              median(all.stream().map(Round::p99).toList()));
      medians.put(name, median);
      report.line(
          String.format(
              Locale.ROOT,
              "| %s | %.0f | %.0f | %.0f |",
              name,
              median.perSecond,
              median.p50,
              median.p99));
    }
    Round empty = requireNonNull(medians.get("empty handler"));
    Round ten = requireNonNull(medians.get("10 rules"));
    Round thousand = requireNonNull(medians.get("1000 rules"));
    report.claimAtLeast("check-over-empty-handler", 0.7, ten.perSecond / empty.perSecond);
    report.claimAtMost("check-p99-over-empty-handler", 2, ten.p99 / empty.p99);
    report.claimAtLeast("thousand-rules-over-ten", 0.6, thousand.perSecond / ten.perSecond);
  }

  private static double median(List<Double> values) {
    return values.stream().sorted().skip(values.size() / 2).findFirst().orElseThrow();
  }

  private static WeirServer serve(int rules) throws Exception {
    Path file = Files.createTempFile("rules", ".yaml");
    file.toFile().deleteOnExit();
    Files.writeString(file, rulesText(rules));
    RulesLoader loader = new RulesLoader(KeySpace.random(), Map.of());
    RulesFileWatcher watcher =
        new RulesFileWatcher(RuleFiles.at(file), loader, InstantSource.system());
    return WeirServer.start(
        ServerSettings.DEFAULT.withPorts(0, ServerSettings.OFF, 0), watcher, new MemoryStore());
  }

  /** Rules, five of which match the requests of {@link Load}. */
  private static String rulesText(int count) {
    StringBuilder text =
        new StringBuilder(
            """
            trusted-proxies: [127.0.0.1/32]
            identity: {key: header X-API-Key, tenant: header X-Tenant, caller: [key, ip]}
            tiers: {free: 100/minute, pro: 1000000000/minute}
            rules:
              - {name: whole-site, limit: 1000000000/second}
              - {name: plan, per: caller, tier: header X-Plan, default-tier: free}
              - {name: tenant, per: tenant, limit: 1000000000/second}
              - {name: ride, match: {method: POST, path: /api/rides/request}, per: caller, limit: 1000000000/second}
              - {name: rides, match: {path: "/api/rides/**"}, per: [ip, path], limit: 1000000000/second}
            """);
    for (int i = 5; i < count; i++) {
      text.append(
          "  - {name: other-%d, match: {method: POST, path: '/api/v%d/{id}'}, per: caller, limit: 10/second}%n"
              .formatted(i, i));
    }
    return text.toString();
  }

  private static int empty(Vertx vertx) {
    AtomicInteger port = new AtomicInteger();
    vertx
        .deployVerticle(
            () ->
                new VerticleBase() {
                  @Override
                  public Future<?> start() {
                    HttpServer server = vertx.createHttpServer(new HttpServerOptions().setPort(-1));
                    server.requestHandler(request -> request.response().end());
                    return server.listen().onSuccess(listening -> port.set(listening.actualPort()));
                  }
                },
            new DeploymentOptions().setInstances(Runtime.getRuntime().availableProcessors()))
        .await();
    return port.get();
  }

  private static Round load(int port, int millis) throws IOException, InterruptedException {
    Process process =
        new ProcessBuilder(
                System.getProperty("java.home") + "/bin/java",
                "-Xmx256m",
                "-XX:+UseSerialGC",
                "-cp",
                System.getProperty("java.class.path"),
                Load.class.getName(),
                Integer.toString(port),
                "/v1/check/api/rides/request",
                Integer.toString(CONNECTIONS),
                "1500",
                Integer.toString(millis))
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    if (process.waitFor() != 0) {
      throw new IllegalStateException("the load process failed: " + out);
    }
    String[] numbers = out.strip().split(" ", -1);
    if (!numbers[3].equals("0")) {
      throw new IllegalStateException("requests were denied or failed: " + numbers[3]);
    }
    return new Round(
        Double.parseDouble(numbers[0]),
        Double.parseDouble(numbers[1]),
        Double.parseDouble(numbers[2]));
  }
}
