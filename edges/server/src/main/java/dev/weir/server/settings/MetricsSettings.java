package dev.weir.server.settings;

import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.OptionalInt;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * How metrics are exposed.
 *
 * @param names at least one set of names; with several, everything is exposed under each
 * @param listener a metrics-only port beside the administration port; null for none
 * @param expectedServers how many servers are expected to share the store, for alerts
 */
public record MetricsSettings(
    Set<Names> names, @Nullable Listener listener, OptionalInt expectedServers) {
  /** The maximum number of servers that a fleet may have. */
  public static final int MAX_SERVERS = 10_000;

  /** A set of metric names. */
  public enum Names {
    /** Weir's own names, for all metrics. */
    WEIR,
    /** The names of envoyproxy/ratelimit, for what it measures. */
    ENVOY
  }

  /**
   * A port that serves nothing but metrics, without a token.
   *
   * @param host the address to listen on
   * @param port 0 for any free port
   * @param path the path of the metrics
   */
  public record Listener(String host, int port, String path) {
    /**
     * Checks the values.
     *
     * @throws IllegalArgumentException if one is not valid
     */
    public Listener {
      if (host.isEmpty()) {
        throw new IllegalArgumentException("metrics host: nothing (expected: an address)");
      }
      if (port < 0 || port > 65_535) {
        throw new IllegalArgumentException(
            "metrics port: " + port + " (expected: between 0 and 65535)");
      }
      if (!path.matches("/[!-~&&[^?#%]]*")) {
        throw new IllegalArgumentException(
            "metrics path: " + path + " (expected: a path, such as /metrics)");
      }
    }
  }

  /** Weir's names, on the administration port only. */
  public static final MetricsSettings DEFAULT = new MetricsSettings(EnumSet.of(Names.WEIR), null);

  /**
   * Checks the values.
   *
   * @throws IllegalArgumentException if there are no names, or the number of servers is out of
   *     range
   */
  public MetricsSettings {
    names = Set.copyOf(names);
    if (names.isEmpty()) {
      throw refused("nothing");
    }
    int servers = expectedServers.orElse(1);
    if (servers < 1 || servers > MAX_SERVERS) {
      throw new IllegalArgumentException(
          "expected servers: " + servers + " (expected: between 1 and " + MAX_SERVERS + ")");
    }
  }

  /** Settings without an expected number of servers. */
  public MetricsSettings(Set<Names> names, @Nullable Listener listener) {
    this(names, listener, OptionalInt.empty());
  }

  /**
   * Settings with sets of names as written on the command line.
   *
   * @throws IllegalArgumentException if a word is not {@code weir} or {@code envoy}
   */
  public static MetricsSettings named(List<String> words) {
    return new MetricsSettings(
        words.stream().map(MetricsSettings::name).collect(Collectors.toSet()), null);
  }

  private static Names name(String word) {
    return Arrays.stream(Names.values())
        .filter(one -> one.name().toLowerCase(Locale.ROOT).equals(word))
        .findFirst()
        .orElseThrow(() -> refused(word));
  }

  private static IllegalArgumentException refused(String value) {
    return new IllegalArgumentException("metrics: " + value + " (expected: weir, envoy or both)");
  }

  /** These settings with another metrics-only port. */
  public MetricsSettings withListener(@Nullable Listener other) {
    return new MetricsSettings(names, other, expectedServers);
  }

  /** These settings with an expected number of servers. */
  public MetricsSettings withExpectedServers(OptionalInt servers) {
    return new MetricsSettings(names, listener, servers);
  }
}
