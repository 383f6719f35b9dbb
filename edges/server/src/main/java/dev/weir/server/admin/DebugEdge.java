package dev.weir.server.admin;

import dev.weir.server.metrics.EnvoyStats;
import dev.weir.server.metrics.RateLimitConfig;
import dev.weir.server.metrics.RlsStats;
import dev.weir.server.metrics.ServerStatus;
import io.vertx.core.http.HttpServerRequest;
import java.util.Optional;
import java.util.function.Supplier;

/** The debug pages of envoyproxy/ratelimit, in plain text. Thread-safe. */
public final class DebugEdge {
  private static final String LIST =
      """
      /: this list
      /actions: what operators do to rules and callers for a while (GET, POST; DELETE /actions/{id})
      /callers: who is denied most, by hash; ?kind=denied, shadow-denied, near-limit, allowed
      /callers/reveal: who that is (POST)
      /explain: which rules apply to a request (POST)
      /live: decisions and callers as server-sent events, one each second
      /login, /logout: begins and ends the session of a browser (POST)
      /metrics: metrics for Prometheus
      /readyz: whether the server is ready, and its problems
      /reset: reset the counters of a caller (POST)
      /rlconfig: the active limits of domains, one per line
      /rules: the active rules, in JSON
      /session: who you are, and what you may do
      /stats: the counts of Envoy's rate limit service, one per line
      /v1/decide, /v1/release: as on the port for traffic; refund and charge too (POST)
      """;

  private final RateLimitConfig config;
  private final EnvoyStats stats;

  /** Pages about the rate limit service and the server. */
  public DebugEdge(RlsStats rls, ServerStatus status) {
    this.config = new RateLimitConfig(status);
    this.stats = new EnvoyStats(rls, status);
  }

  /** Answers if there is such a page, and returns whether there is. */
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
