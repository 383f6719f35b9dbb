package dev.weir.server;

import dev.weir.server.stats.EnvoyStats;
import dev.weir.server.stats.RateLimitConfig;
import dev.weir.server.stats.RlsStats;
import dev.weir.server.stats.Surroundings;
import io.vertx.core.http.HttpServerRequest;
import java.util.Optional;
import java.util.function.Supplier;

/** What those look at who know envoyproxy/ratelimit, in plain text. */
final class DebugEdge {
  private static final String LIST =
      """
      /: this list
      /explain: which rules apply to a request (POST)
      /metrics: what happened, for Prometheus
      /readyz: whether traffic may come, and what is wrong
      /reset: let the counters of a caller begin anew (POST)
      /rlconfig: the limits of domains in force, a line for each
      /rules: the rules in force, in JSON
      /stats: what happened to requests of Envoy's rate limit service, a line for each number
      /v1/decide, /v1/release: as on the port for traffic; refund and settle too (POST)
      """;

  private final RateLimitConfig config;
  private final EnvoyStats stats;

  DebugEdge(RlsStats rls, Surroundings around) {
    this.config = new RateLimitConfig(around);
    this.stats = new EnvoyStats(rls, around);
  }

  /** Answers, if there is such a page. */
  boolean handle(String route, HttpServerRequest request) {
    Optional<Supplier<String>> page =
        switch (route) {
          case "GET /" -> Optional.of(() -> LIST);
          case "GET /rlconfig" -> Optional.of(config);
          case "GET /stats" -> Optional.of(stats);
          default -> Optional.empty();
        };
    page.ifPresent(
        text -> {
          var unused =
              request
                  .response()
                  .putHeader("Content-Type", "text/plain; charset=utf-8")
                  .putHeader("Cache-Control", "no-store")
                  .end(text.get());
        });
    return page.isPresent();
  }
}
