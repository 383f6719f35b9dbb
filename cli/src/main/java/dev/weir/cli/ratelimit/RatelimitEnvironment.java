package dev.weir.cli.ratelimit;

import dev.weir.cli.log.LogLevel;
import dev.weir.rules.envoy.DomainDefaults;
import dev.weir.server.rls.RlsSettings;
import dev.weir.server.settings.MetricsSettings;
import dev.weir.server.settings.ServerSettings;
import dev.weir.server.tls.Tls;
import dev.weir.server.xds.XdsSettings;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Environment variables as envoyproxy/ratelimit reads them.
 *
 * <p>Some of its names, such as HOST and PORT, may belong to other programs. All variables are
 * therefore ignored unless at least one is set that only envoyproxy/ratelimit has.
 *
 * <p>Invalid values do not throw: the default applies, and {@link #problems()} lists them. Not
 * thread-safe.
 */
public final class RatelimitEnvironment {
  /** Variables that only envoyproxy/ratelimit has. */
  private static final Set<String> DISTINCTIVE =
      Set.of(
          "RUNTIME_ROOT",
          "RUNTIME_SUBDIRECTORY",
          "RUNTIME_APPDIRECTORY",
          "CONFIG_TYPE",
          "BACKEND_TYPE",
          "REDIS_SOCKET_TYPE",
          "REDIS_TYPE",
          "USE_STATSD",
          "USE_PROMETHEUS",
          "NEAR_LIMIT_RATIO",
          "QUOTA_MODE",
          "RESPONSE_DYNAMIC_METADATA",
          "MERGE_DOMAIN_CONFIG",
          "LOCAL_CACHE_SIZE_IN_BYTES",
          "GRPC_SERVER_USE_TLS",
          "LIMIT_RESPONSE_HEADERS_ENABLED",
          "STOP_CACHE_KEY_INCREMENT_WHEN_OVERLIMIT");

  /** Variables that locate the configuration. */
  private static final Set<String> LOCATION =
      Set.of("RUNTIME_ROOT", "RUNTIME_SUBDIRECTORY", "RUNTIME_APPDIRECTORY", "CONFIG_TYPE");

  private final Map<String, String> variables;
  private final List<String> problems = new ArrayList<>();

  /** Reads an environment; ignores it if it is not made for envoyproxy/ratelimit. */
  public RatelimitEnvironment(Map<String, String> environment) {
    boolean applies = DISTINCTIVE.stream().anyMatch(environment::containsKey);
    this.variables = applies ? Map.copyOf(environment) : Map.of();
  }

  /** Whether the environment is made for envoyproxy/ratelimit. */
  public boolean isPresent() {
    return !variables.isEmpty();
  }

  /** The value of a variable; empty if it is unset or empty. */
  public Optional<String> text(String name) {
    return Optional.ofNullable(variables.get(name)).filter(value -> !value.isEmpty());
  }

  /** Parses a boolean as Go does: 1, t, true and their opposites, in three cases each. */
  boolean isTrue(String name) {
    String value = text(name).orElse("false");
    switch (value) {
      case "1", "t", "T", "true", "TRUE", "True" -> {
        return true;
      }
      case "0", "f", "F", "false", "FALSE", "False" -> {
        return false;
      }
      default -> {
        addProblem(name, value, "true or false");
        return false;
      }
    }
  }

  /** A port, or the default if the variable is unset or invalid. */
  public int port(String name, int defaultPort) {
    Optional<String> value = text(name);
    if (value.isEmpty()) {
      return defaultPort;
    }
    if (isPort(value.get())) {
      return Integer.parseInt(value.get());
    }
    addProblem(name, value.get(), "a port between 0 and 65535");
    return defaultPort;
  }

  private static boolean isPort(String text) {
    return text.matches("[0-9]{1,5}") && Integer.parseInt(text) <= 65_535;
  }

  /** A ratio between 0 and 1, or the default if the variable is unset or invalid. */
  double ratio(String name, double defaultRatio) {
    Optional<String> value = text(name);
    if (value.isEmpty()) {
      return defaultRatio;
    }
    if (value.get().matches("\\d{1,9}(\\.\\d{1,9})?")) {
      double ratio = Double.parseDouble(value.get());
      if (ratio <= 1) {
        return ratio;
      }
    }
    addProblem(name, value.get(), "a number between 0 and 1");
    return defaultRatio;
  }

  /**
   * The directory of the configuration, below a root that is often a symbolic link. Empty if no
   * variable locates it and the default directory does not exist.
   */
  public Optional<Path> configuration() {
    Path root = Path.of(text("RUNTIME_ROOT").orElse("/srv/runtime_data/current"));
    Path subdirectory = root.resolve(text("RUNTIME_SUBDIRECTORY").orElse(""));
    Path path = subdirectory.resolve(text("RUNTIME_APPDIRECTORY").orElse("config"));
    boolean configured = variables.keySet().stream().anyMatch(LOCATION::contains);
    return configured || (isPresent() && Files.exists(path)) ? Optional.of(path) : Optional.empty();
  }

  /** The log level; panic and fatal become error. */
  public LogLevel logLevel() {
    String name = text("LOG_LEVEL").orElse("info").toLowerCase(Locale.ROOT);
    Optional<LogLevel> level =
        LogLevel.named(name.equals("panic") || name.equals("fatal") ? "error" : name);
    if (level.isEmpty()) {
      addProblem("LOG_LEVEL", name, "error, warn, info, debug or trace");
    }
    return level.orElse(LogLevel.INFO);
  }

  /** Defaults for domains whose files do not set them. */
  public DomainDefaults domains() {
    return new DomainDefaults(
        isTrue("MERGE_DOMAIN_CONFIG"), isTrue("STOP_CACHE_KEY_INCREMENT_WHEN_OVERLIMIT"));
  }

  /** Settings of Envoy's rate limit service. */
  public RlsSettings rls() {
    return new RlsVariables(this).settings();
  }

  /** Metrics under both naming schemes and on envoyproxy/ratelimit's port, if it is on. */
  public MetricsSettings metrics() {
    if (!isTrue("USE_PROMETHEUS")) {
      return MetricsSettings.DEFAULT;
    }
    MetricsSettings both = new MetricsSettings(EnumSet.allOf(MetricsSettings.Names.class), null);
    String address = text("PROMETHEUS_ADDR").orElse(":9090");
    String path = text("PROMETHEUS_PATH").orElse("/metrics");
    int colon = address.lastIndexOf(':');
    String host = colon < 1 ? "0.0.0.0" : address.substring(0, colon);
    String port = address.substring(colon + 1);
    if (!isPort(port)) {
      addProblem("PROMETHEUS_ADDR", address, "HOST:PORT or :PORT");
      return both;
    }
    try {
      return both.withListener(new MetricsSettings.Listener(host, Integer.parseInt(port), path));
    } catch (IllegalArgumentException e) {
      addProblem("PROMETHEUS_PATH", path, "a path, such as /metrics");
      return both;
    }
  }

  /** TLS of the gRPC port; null for none. */
  public @Nullable Tls grpcTls() {
    if (!isTrue("GRPC_SERVER_USE_TLS")) {
      return null;
    }
    Optional<String> certificate = text("GRPC_SERVER_TLS_CERT");
    Optional<String> key = text("GRPC_SERVER_TLS_KEY");
    if (certificate.isEmpty() || key.isEmpty()) {
      addProblem("GRPC_SERVER_TLS_CERT, GRPC_SERVER_TLS_KEY", "not both", "two PEM files");
      return null;
    }
    return new Tls(Path.of(certificate.get()), Path.of(key.get()), grpcClients());
  }

  /** Requirements for client certificates on the gRPC port; null for none. */
  public Tls.@Nullable Clients grpcClients() {
    return text("GRPC_CLIENT_TLS_CACERT")
        .map(ca -> new Tls.Clients(Path.of(ca), text("GRPC_CLIENT_TLS_SAN").orElse("")))
        .orElse(null);
  }

  /**
   * The address of the administration port. The debug port of envoyproxy/ratelimit is open to all,
   * because it is harmless. Weir's administration port is not, so it listens on this machine only
   * unless there is a token.
   */
  public String debugHost(boolean hasToken) {
    String defaultHost = ServerSettings.DEFAULT.admin().host();
    String host = text("DEBUG_HOST").orElse(defaultHost);
    return hasToken || ServerSettings.isLoopback(host) ? host : defaultHost;
  }

  /** The store as a URL for {@code --store}; empty if the variables name no Redis. */
  public Optional<String> store() {
    String backend = text("BACKEND_TYPE").orElse("redis");
    if (!backend.equals("redis")) {
      String expected = "redis, and REDIS_URL; or --store, which sets the store";
      addProblem("BACKEND_TYPE", backend, expected);
      return Optional.empty();
    }
    return new RedisVariables(this).url();
  }

  /** The xDS management server; empty if the configuration comes from files. */
  public Optional<XdsSettings> xds() {
    return new XdsVariables(this).settings();
  }

  /** Records an invalid value. */
  void addProblem(String name, String value, String expected) {
    addProblem(name + ": " + value + " (expected: " + expected + ")");
  }

  /** Records a problem once, although a variable may be read several times. */
  void addProblem(String problem) {
    if (!problems.contains(problem)) {
      problems.add(problem);
    }
  }

  /** The invalid values among the variables that were read so far. */
  public List<String> problems() {
    return List.copyOf(problems);
  }

  /** A line for each variable that has no effect, with what to use instead. */
  public List<String> notes() {
    Map<String, String> notes = new TreeMap<>();
    for (String name : variables.keySet()) {
      String upper = name.toUpperCase(Locale.ROOT);
      UnusedVariables.replacement(upper)
          .ifPresent(instead -> notes.put(name, name + ": not used; " + instead));
    }
    if (!ServerSettings.isLoopback(text("DEBUG_HOST").orElse("localhost"))) {
      notes.put(
          "DEBUG_HOST",
          "DEBUG_HOST: not used without --admin-token-env; administration is for this machine");
    }
    if (text("CONFIG_TYPE").orElse("FILE").equals("FILE")
        && text("FORCE_START_WITHOUT_INITIAL_CONFIG").isPresent()) {
      notes.put(
          "FORCE_START_WITHOUT_INITIAL_CONFIG",
          "FORCE_START_WITHOUT_INITIAL_CONFIG: not used; files are read at the start");
    }
    return List.copyOf(notes.values());
  }
}
