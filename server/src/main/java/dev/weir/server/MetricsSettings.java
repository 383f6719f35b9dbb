package dev.weir.server;

import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * How metrics are told.
 *
 * @param names at least one set of names; with several, everything is told under each
 * @param listener a port of their own, beside that for administration; null for none
 */
public record MetricsSettings(Set<Names> names, @Nullable Listener listener) {

  /** Whose names metrics have. */
  public enum Names {
    /** Ours, of everything. */
    WEIR,
    /** Those of envoyproxy/ratelimit, of what it does too. */
    ENVOY
  }

  /**
   * A port on which there is nothing but metrics, so that nobody need show a token.
   *
   * @param port 0 for any that is free
   */
  public record Listener(String host, int port, String path) {
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

    String where() {
      return host + ":" + port;
    }
  }

  /** Ours, for administrators. */
  public static final MetricsSettings DEFAULT = new MetricsSettings(EnumSet.of(Names.WEIR), null);

  public MetricsSettings {
    names = Set.copyOf(names);
    if (names.isEmpty()) {
      throw refused("nothing");
    }
  }

  /** With names as people write them. */
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

  public MetricsSettings withListener(@Nullable Listener other) {
    return new MetricsSettings(names, other);
  }
}
