package dev.weir.gateway;

import dev.weir.gateway.log.AccessLog;
import dev.weir.gateway.upstream.Upstream;
import dev.weir.gateway.upstream.UpstreamServer;
import dev.weir.server.exposition.MetricSink;
import dev.weir.server.exposition.MetricType;
import java.util.Collection;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.LongAdder;

/** Counts what became of requests. Thread-safe. */
final class GatewayStats {
  private final Map<Outcome, LongAdder> outcomes = new EnumMap<>(Outcome.class);

  /** What became of a request. */
  enum Outcome {
    /** The upstream's response was sent. */
    COMPLETE,
    /** A rule denied it. */
    DENIED,
    /** It was shed. */
    SHED,
    /** The upstream had as many requests as it can take. */
    UPSTREAM_BUSY,
    /** It was malformed. */
    REFUSED,
    /** No route matched. */
    NO_ROUTE,
    /** The store did not answer, and a rule denies without it. */
    UNANSWERED,
    /** The gateway failed. */
    INTERNAL_ERROR,
    /** The client left. */
    CLIENT_GONE,
    /** The client sent its body too slowly. */
    SLOW_CLIENT,
    /** No server of the upstream could be reached. */
    UNREACHABLE,
    /** The upstream did not answer in time. */
    TIMED_OUT,
    /** The upstream's connection failed. */
    FAILED,
    /** The upstream failed after a part of its response was sent. */
    CUT_OFF;

    final String label = name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  GatewayStats() {
    for (Outcome outcome : Outcome.values()) {
      outcomes.put(outcome, new LongAdder());
    }
  }

  void count(Outcome outcome) {
    Objects.requireNonNull(outcomes.get(outcome)).increment();
  }

  /** Writes the metrics. */
  void write(
      MetricSink out, long inFlight, Collection<Upstream> upstreams, Optional<AccessLog> log) {
    out.family(
        "weir_gateway_requests_total", MetricType.COUNTER, "Requests to the gateway by outcome");
    outcomes.forEach((outcome, count) -> out.sample(count.sum(), "outcome", outcome.label));
    out.family("weir_gateway_in_flight", MetricType.GAUGE, "Requests in flight").sample(inFlight);
    out.family(
        "weir_upstream_requests_total",
        MetricType.COUNTER,
        "Requests sent to servers of upstreams");
    each(upstreams, (name, server) -> sample(out, name, server, server.requests()));
    out.family(
        "weir_upstream_failures_total", MetricType.COUNTER, "Requests that failed at a server");
    each(upstreams, (name, server) -> sample(out, name, server, server.failed()));
    out.family(
        "weir_upstream_healthy", MetricType.GAUGE, "Whether a server is healthy by its probes");
    each(upstreams, (name, server) -> sample(out, name, server, server.isHealthy() ? 1 : 0));
    log.ifPresent(
        one ->
            out.family(
                    "weir_access_log_dropped_total",
                    MetricType.COUNTER,
                    "Lines that were not written")
                .sample(one.dropped()));
  }

  private interface ServerVisitor {
    void visit(String upstream, UpstreamServer server);
  }

  private static void each(Collection<Upstream> upstreams, ServerVisitor visitor) {
    for (Upstream upstream : upstreams) {
      upstream.servers().forEach(server -> visitor.visit(upstream.settings().name(), server));
    }
  }

  private static void sample(MetricSink out, String upstream, UpstreamServer server, long value) {
    out.sample(value, "upstream", upstream, "server", server.toString());
  }
}
