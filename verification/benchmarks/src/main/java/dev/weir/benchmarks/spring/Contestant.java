package dev.weir.benchmarks.spring;

import dev.weir.benchmarks.server.Server;
import dev.weir.benchmarks.server.SpringApps;
import dev.weir.benchmarks.server.SpringApps.App;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** The applications that are compared. */
enum Contestant {
  WEBFLUX("without a limiter", App.APPLICATION, ""),
  WEBFLUX_WEIR("weir, one rule", App.APPLICATION, "weir-one"),
  WEBFLUX_WEIR_THREE("weir, three rules", App.APPLICATION, "weir-three"),
  WEBFLUX_BUCKET4J("Bucket4j's starter, one bucket", App.APPLICATION, "bucket4j-webflux"),

  SERVLET("without a limiter", App.APPLICATION, ""),
  SERVLET_WEIR("weir, one rule", App.APPLICATION, "weir-one"),
  SERVLET_BUCKET4J("Bucket4j's starter, one bucket", App.APPLICATION, "bucket4j-servlet"),

  REDIS_WEIR("weir", App.APPLICATION, "weir-redis"),
  REDIS_BUCKET4J("Bucket4j's starter", App.APPLICATION, "bucket4j-redis"),

  GATEWAY("without a limiter", App.GATEWAY, ""),
  GATEWAY_WEIR("weir-spring-cloud-gateway", App.GATEWAY, "limited,weir"),
  GATEWAY_OWN("its own RequestRateLimiter", App.GATEWAY, "limited");

  /**
   * Bucket4j's starter on Redis goes on on another thread than the event loop. Of such requests,
   * Reactor Netty 1.3.7 leaves some without an answer.
   */
  private static final double FEW_LOST = 0.001;

  private final String title;
  private final App app;
  private final String profiles;

  Contestant(String title, App app, String profiles) {
    this.title = title;
    this.app = app;
    this.profiles = profiles;
  }

  String title() {
    return title;
  }

  /** Whether it can measure its filter alone. */
  boolean isWebFlux() {
    return name().startsWith("WEBFLUX");
  }

  /** The largest share of requests that may fail in a round; Weir must answer all of them. */
  double tolerated() {
    return this == REDIS_BUCKET4J ? FEW_LOST : 0;
  }

  boolean isLimited() {
    return !profiles.isEmpty();
  }

  Server start(Environment environment) throws IOException, InterruptedException {
    List<String> properties = new ArrayList<>();
    properties.add("redis=" + environment.redis());
    if (app == App.GATEWAY) {
      properties.add("upstream=http://127.0.0.1:" + environment.upstream());
    } else if (name().startsWith("SERVLET")) {
      properties.add("spring.main.web-application-type=servlet");
    }
    return SpringApps.start(app, environment.directory(), profiles, properties);
  }
}
