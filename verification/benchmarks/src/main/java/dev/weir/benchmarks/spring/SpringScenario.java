package dev.weir.benchmarks.spring;

import static dev.weir.benchmarks.spring.Contestant.GATEWAY;
import static dev.weir.benchmarks.spring.Contestant.GATEWAY_OWN;
import static dev.weir.benchmarks.spring.Contestant.GATEWAY_WEIR;
import static dev.weir.benchmarks.spring.Contestant.REDIS_BUCKET4J;
import static dev.weir.benchmarks.spring.Contestant.REDIS_WEIR;
import static dev.weir.benchmarks.spring.Contestant.SERVLET;
import static dev.weir.benchmarks.spring.Contestant.SERVLET_BUCKET4J;
import static dev.weir.benchmarks.spring.Contestant.SERVLET_WEIR;
import static dev.weir.benchmarks.spring.Contestant.WEBFLUX;
import static dev.weir.benchmarks.spring.Contestant.WEBFLUX_BUCKET4J;
import static dev.weir.benchmarks.spring.Contestant.WEBFLUX_WEIR;
import static dev.weir.benchmarks.spring.Contestant.WEBFLUX_WEIR_THREE;

import dev.weir.benchmarks.gateway.Templates;
import dev.weir.benchmarks.gateway.Upstream;
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
import dev.weir.testkit.redis.RedisBinary;
import dev.weir.testkit.redis.RedisServer;
import java.io.IOException;
import java.util.List;

/**
 * Measures what the filters of {@code weir-spring-boot-starter} and {@code
 * weir-spring-cloud-gateway} add to a request, beside Bucket4j's starter and Spring Cloud Gateway's
 * own limiter.
 */
public final class SpringScenario implements Scenario {
  @Override
  public String about() {
    return "what the filters for Spring add to a request, beside Bucket4j's starter and others";
  }

  @Override
  public void run(Report report, Options options) throws Exception {
    if (!SpringApps.build()) {
      throw new IllegalStateException("the applications are not built (see Maven's output)");
    }
    describe(report);
    try (Templates templates = Templates.inTemporaryDirectory("weir-spring");
        Server upstream = Upstream.start(templates);
        RedisServer redis = RedisServer.start(RedisBinary.chosen());
        Workers workers = new Workers(1, 512, Load.launch(), Load.class)) {
      Cores.moveToOthers(Long.parseLong(redis.info("server", "process_id")));
      Environment environment =
          new Environment(templates.directory(), redis.url(), upstream.port());
      Bench bench = new Bench(report, workers, environment, options.full());
      embedded(bench);
      onRedis(bench);
    }
  }

  private static void describe(Report report) throws IOException {
    report.line(Cores.describe());
    report.line("Every contestant is a process of its own, and is loaded until it gets no faster");
    report.line(
        "before it is measured. A response shows that its limiter counts. Medians of rounds");
    report.line("in which all take turns, of their ratios and of their differences.");
    report.line("");
    report.line("- Spring Boot " + SpringApps.version(App.APPLICATION, "spring-boot"));
    report.line(
        "- Bucket4j's starter "
            + SpringApps.version(App.APPLICATION, "bucket4j-spring-boot-starter")
            + ", Bucket4j "
            + SpringApps.version(App.APPLICATION, "bucket4j_jdk17-core"));
    report.line(
        "- Spring Cloud Gateway "
            + SpringApps.version(App.GATEWAY, "spring-cloud-gateway-server-webflux"));
    report.line("- Redis " + RedisBinary.chosen().version());
  }

  private static void embedded(Bench bench) throws Exception {
    Rounds<Contestant, Round> webflux =
        bench.measure(
            "WebFlux, counters in the application",
            List.of(WEBFLUX, WEBFLUX_WEIR, WEBFLUX_WEIR_THREE, WEBFLUX_BUCKET4J));
    double added = Bench.added(webflux, WEBFLUX_WEIR, WEBFLUX);
    bench.report().claimAtMost("webflux-filter-adds-micros", 5, added);
    bench
        .report()
        .claimAtLeast(
            "webflux-bucket4j-adds-over-weir",
            1,
            Bench.added(webflux, WEBFLUX_BUCKET4J, WEBFLUX) / added);
    Rounds<Contestant, Round> servlets =
        bench.measure(
            "Servlets on Tomcat, counters in the application",
            List.of(SERVLET, SERVLET_WEIR, SERVLET_BUCKET4J));
    added = Bench.added(servlets, SERVLET_WEIR, SERVLET);
    bench.report().claimAtMost("servlet-filter-adds-micros", 5, added);
    bench
        .report()
        .claimAtLeast(
            "servlet-bucket4j-adds-over-weir",
            1,
            Bench.added(servlets, SERVLET_BUCKET4J, SERVLET) / added);
  }

  private static void onRedis(Bench bench) throws Exception {
    Rounds<Contestant, Round> starters =
        bench.measure(
            "WebFlux, one token bucket per key on Redis",
            List.of(WEBFLUX, REDIS_WEIR, REDIS_BUCKET4J));
    bench
        .report()
        .claimAtLeast(
            "redis-over-bucket4j", 2, starters.ratio(REDIS_WEIR, REDIS_BUCKET4J, Round::perSecond));
    bench
        .report()
        .claimAtLeast(
            "redis-bucket4j-adds-over-weir",
            2,
            Bench.added(starters, REDIS_BUCKET4J, WEBFLUX)
                / Bench.added(starters, REDIS_WEIR, WEBFLUX));
    Rounds<Contestant, Round> gateways =
        bench.measure(
            "Spring Cloud Gateway, one token bucket per key on Redis",
            List.of(GATEWAY, GATEWAY_WEIR, GATEWAY_OWN));
    bench
        .report()
        .claimAtLeast(
            "redis-over-spring-cloud-gateway",
            2,
            gateways.ratio(GATEWAY_WEIR, GATEWAY_OWN, Round::perSecond));
    bench
        .report()
        .claimAtLeast(
            "redis-spring-cloud-gateway-adds-over-weir",
            2,
            Bench.added(gateways, GATEWAY_OWN, GATEWAY)
                / Bench.added(gateways, GATEWAY_WEIR, GATEWAY));
  }
}
