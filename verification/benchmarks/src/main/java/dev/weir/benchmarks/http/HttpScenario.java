package dev.weir.benchmarks.http;

import static java.util.Objects.requireNonNull;

import dev.weir.benchmarks.harness.Options;
import dev.weir.benchmarks.harness.Report;
import dev.weir.benchmarks.harness.Rounds;
import dev.weir.benchmarks.harness.Scenario;
import dev.weir.benchmarks.http.LoadProcess.Result;
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
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;

/** Measures {@code /v1/check}, compared with an empty handler on the same stack in the same run. */
public final class HttpScenario implements Scenario {
  private static final String EMPTY = "empty handler";
  private static final String TEN = "10 rules";
  private static final String ONE_PAGE = "10 rules, a dashboard open";
  private static final String FIVE_PAGES = "10 rules, five dashboards open";
  private static final String THOUSAND = "1000 rules";

  private static final int WARM_UP_MILLIS = 1_500;

  /** A server, and how many dashboards are open while it is measured. */
  private record Contestant(String name, int port, int adminPort, int pages) {
    static Contestant of(String name, WeirServer server, int pages) {
      return new Contestant(name, server.port(), server.adminPort(), pages);
    }

    Result turn(int millis) throws IOException {
      Result result = new LoadProcess(port, adminPort, 1, pages, WARM_UP_MILLIS, millis).run();
      if (result.notAllowed() > 0) {
        throw new IllegalStateException("requests were denied or failed: " + result.notAllowed());
      }
      return result;
    }
  }

  @Override
  public String about() {
    return "/v1/check over HTTP/1.1: five matching rules beside an empty handler; a thousand rules;"
        + " with dashboards open";
  }

  @Override
  public void run(Report report, Options options) throws Exception {
    boolean full = options.full();
    Vertx vertx = Vertx.vertx(new VertxOptions().setPreferNativeTransport(true));
    try (WeirServer ten = serve(10);
        WeirServer thousand = serve(1_000)) {
      Map<String, Contestant> all = new LinkedHashMap<>();
      all.put(EMPTY, new Contestant(EMPTY, empty(vertx), 0, 0));
      all.put(TEN, Contestant.of(TEN, ten, 0));
      all.put(ONE_PAGE, Contestant.of(ONE_PAGE, ten, 1));
      all.put(FIVE_PAGES, Contestant.of(FIVE_PAGES, ten, 5));
      all.put(THOUSAND, Contestant.of(THOUSAND, thousand, 0));
      Rounds<String, Result> rounds =
          Rounds.run(
              all.keySet(),
              1,
              full ? 8 : 4,
              name -> requireNonNull(all.get(name)).turn(full ? 5_000 : 2_000));
      report(report, rounds);
    } finally {
      vertx.close().await();
    }
  }

  private static void report(Report report, Rounds<String, Result> rounds) {
    report.line("Medians of rounds in which all take turns; the load comes from the same cores:");
    report.line("");
    report.line("| | requests/s | p50 µs | p99 µs |");
    report.line("|---|---|---|---|");
    for (String name : rounds.all()) {
      report.line(
          String.format(
              Locale.ROOT,
              "| %s | %.0f | %.0f | %.0f |",
              name,
              rounds.median(name, Result::perSecond),
              rounds.median(name, Result::p50),
              rounds.median(name, Result::p99)));
    }
    report.claimAtLeast("check-over-empty-handler", 0.7, ofMedians(rounds, TEN, EMPTY));
    report.claimAtMost(
        "check-p99-over-empty-handler",
        2,
        rounds.median(TEN, Result::p99) / rounds.median(EMPTY, Result::p99));
    report.claimAtLeast("thousand-rules-over-ten", 0.6, ofMedians(rounds, THOUSAND, TEN));
    report.claimAtLeast(
        "dashboard-open-over-closed", 0.95, rounds.ratio(ONE_PAGE, TEN, Result::perSecond));
  }

  private static double ofMedians(Rounds<String, Result> rounds, String one, String other) {
    return rounds.median(one, Result::perSecond) / rounds.median(other, Result::perSecond);
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
}
