package dev.weir.cli.ratelimit;

import java.util.Map;
import java.util.Optional;

/** Variables of envoyproxy/ratelimit that Weir does not read, with what to use instead. */
final class UnusedVariables {
  private static final String METRICS =
      "Prometheus fetches metrics: USE_PROMETHEUS=true puts them on port 9090, for all clients;"
          + " those on the administration port are for this machine";
  private static final String ONE_REDIS = "all counters are in one Redis, REDIS_URL";
  private static final String POOL =
      "one connection to each server carries all requests, in batches";
  private static final String RETRY =
      "Weir starts without Redis and joins it later; see --store-wait and --store-required";
  private static final String TRACING = "see --otlp-endpoint and --trace-sample";
  private static final String MEMCACHE = "counters are in this process or in Redis; see --store";

  private static final Map<String, String> BY_NAME =
      Map.ofEntries(
          Map.entry("EXPIRATION_JITTER_MAX_SECONDS", "counters expire when their window does"),
          Map.entry(
              "REDIS_TIMEOUT", "?deadline=25ms in the URL of --store bounds each call to Redis"),
          Map.entry("RUNTIME_WATCH_ROOT", "files and links are both watched"),
          Map.entry("RUNTIME_IGNOREDOTFILES", "files whose names begin with a dot are never read"),
          Map.entry(
              "GRPC_MAX_CONNECTION_AGE", "connections stay open until either side closes them"),
          Map.entry("GRPC_MAX_CONNECTION_AGE_GRACE", "--drain-seconds gives calls time to end"),
          Map.entry("GRPC_UDS", "listen on an address: --host and --grpc-port"),
          Map.entry("DISABLE_STATS", METRICS),
          Map.entry("EXTRA_TAGS", METRICS),
          Map.entry("STATS_FLUSH_INTERVAL", METRICS),
          Map.entry(
              "REDIS_CLOSE_CONNECTION_ON_READONLY_ERROR",
              "a connection to a server that became a replica is always reopened"));

  private static final Map<String, String> BY_PREFIX =
      Map.ofEntries(
          Map.entry("USE_STATSD", METRICS),
          Map.entry("STATSD_", METRICS),
          Map.entry("USE_DOG_STATSD", METRICS),
          Map.entry("DOG_STATSD_", METRICS),
          Map.entry("PROMETHEUS_MAPPER", "labels are domain, key1 and key2"),
          Map.entry("PROMETHEUS_RESPONSE_TIME", "response times are in seconds"),
          Map.entry("REDIS_PERSECOND", ONE_REDIS),
          Map.entry("REDIS_POOL_", POOL),
          Map.entry("REDIS_PIPELINE_", POOL),
          Map.entry("REDIS_CLUSTER_PIPELINE_", POOL),
          Map.entry("REDIS_STARTUP_", RETRY),
          Map.entry("MEMCACHE_", MEMCACHE),
          Map.entry("TRACING_", TRACING));

  private UnusedVariables() {}

  /** What to use instead of a variable; empty if Weir reads it or does not know it. */
  static Optional<String> replacement(String name) {
    String replacement = BY_NAME.get(name);
    if (replacement != null) {
      return Optional.of(replacement);
    }
    return BY_PREFIX.entrySet().stream()
        .filter(entry -> name.startsWith(entry.getKey()))
        .map(Map.Entry::getValue)
        .findFirst();
  }
}
