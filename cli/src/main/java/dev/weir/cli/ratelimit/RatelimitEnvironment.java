package dev.weir.cli.ratelimit;

import dev.weir.cli.log.LogLevel;
import dev.weir.server.MetricsSettings;
import dev.weir.server.ServerSettings;
import dev.weir.server.Tls;
import dev.weir.server.rls.RlsSettings;
import dev.weir.server.xds.XdsSettings;
import dev.weir.yaml.DomainDefaults;
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
 * <p>Some of its names, such as HOST and PORT, may mean something else to others. So nothing is
 * read unless a variable is there that only it has.
 */
public final class RatelimitEnvironment {
  /** Each of these tells that the environment was made for it. */
  private static final Set<String> TELLING =
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

  /** Each of these tells where the configuration is. */
  private static final Set<String> WHERE =
      Set.of("RUNTIME_ROOT", "RUNTIME_SUBDIRECTORY", "RUNTIME_APPDIRECTORY", "CONFIG_TYPE");

  private final Map<String, String> variables;
  private final List<String> refusals = new ArrayList<>();

  /** Reads what is in an environment, if it was made for that. */
  public RatelimitEnvironment(Map<String, String> environment) {
    boolean meant = TELLING.stream().anyMatch(environment::containsKey);
    this.variables = meant ? Map.copyOf(environment) : Map.of();
  }

  public boolean isPresent() {
    return !variables.isEmpty();
  }

  public Optional<String> text(String name) {
    return Optional.ofNullable(variables.get(name)).filter(value -> !value.isEmpty());
  }

  /** As Go reads truth: 1, t, true, and their opposites, in three cases each. */
  public boolean isTrue(String name) {
    String value = text(name).orElse("false");
    switch (value) {
      case "1", "t", "T", "true", "TRUE", "True" -> {
        return true;
      }
      case "0", "f", "F", "false", "FALSE", "False" -> {
        return false;
      }
      default -> {
        refuse(name, value, "true or false");
        return false;
      }
    }
  }

  public int port(String name, int usual) {
    Optional<String> value = text(name);
    if (value.isEmpty()) {
      return usual;
    }
    if (isPort(value.get())) {
      return Integer.parseInt(value.get());
    }
    refuse(name, value.get(), "a port between 0 and 65535");
    return usual;
  }

  private static boolean isPort(String text) {
    return text.matches("[0-9]{1,5}") && Integer.parseInt(text) <= 65_535;
  }

  /** The name of a header. */
  private String header(String name, String usual) {
    String value = text(name).orElse(usual);
    if (!value.matches("[!#$%&'*+.^_`|~A-Za-z0-9-]{1,200}")) {
      refuse(name, value, "the name of a header");
      return usual;
    }
    return value;
  }

  /** A number from 0 on, and 0 if none is given. */
  private long number(String name) {
    String value = text(name).orElse("0");
    if (value.matches("\\d{1,12}")) {
      return Long.parseLong(value);
    }
    refuse(name, value, "a whole number of at most 12 digits");
    return 0;
  }

  /** A share, such as that of a limit from which on it is near. */
  public double share(String name, double usual) {
    Optional<String> value = text(name);
    if (value.isEmpty()) {
      return usual;
    }
    if (value.get().matches("\\d{1,9}(\\.\\d{1,9})?")) {
      double share = Double.parseDouble(value.get());
      if (share <= 1) {
        return share;
      }
    }
    refuse(name, value.get(), "a number between 0 and 1");
    return usual;
  }

  /**
   * Where the configuration is: a directory below one that is often a link. Nothing, if nobody says
   * where and it is not at the usual place either.
   */
  public Optional<Path> configuration() {
    Path root = Path.of(text("RUNTIME_ROOT").orElse("/srv/runtime_data/current"));
    Path below = root.resolve(text("RUNTIME_SUBDIRECTORY").orElse(""));
    Path path = below.resolve(text("RUNTIME_APPDIRECTORY").orElse("config"));
    boolean told = variables.keySet().stream().anyMatch(WHERE::contains);
    return told || (isPresent() && Files.exists(path)) ? Optional.of(path) : Optional.empty();
  }

  /** How much is logged; its two levels above error are errors here. */
  public LogLevel logLevel() {
    String name = text("LOG_LEVEL").orElse("info").toLowerCase(Locale.ROOT);
    Optional<LogLevel> level =
        LogLevel.named(name.equals("panic") || name.equals("fatal") ? "error" : name);
    if (level.isEmpty()) {
      refuse("LOG_LEVEL", name, "error, warn, info, debug or trace");
    }
    return level.orElse(LogLevel.INFO);
  }

  /** What holds for domains whose files do not say. */
  public DomainDefaults domains() {
    return new DomainDefaults(
        isTrue("MERGE_DOMAIN_CONFIG"), isTrue("STOP_CACHE_KEY_INCREMENT_WHEN_OVERLIMIT"));
  }

  /** How the service answers. */
  public RlsSettings rls() {
    RlsSettings.Headers headers =
        new RlsSettings.Headers(
            header("LIMIT_LIMIT_HEADER", RlsSettings.Headers.USUAL.limit()),
            header("LIMIT_REMAINING_HEADER", RlsSettings.Headers.USUAL.remaining()),
            header("LIMIT_RESET_HEADER", RlsSettings.Headers.USUAL.reset()));
    return new RlsSettings(
        isTrue("SHADOW_MODE"),
        isTrue("QUOTA_MODE"),
        isTrue("LIMIT_RESPONSE_HEADERS_ENABLED") ? headers : null,
        isTrue("RESPONSE_DYNAMIC_METADATA"),
        share("NEAR_LIMIT_RATIO", RlsSettings.USUAL_NEAR_RATIO),
        number("LOCAL_CACHE_SIZE_IN_BYTES"),
        health(),
        isPresent());
  }

  private RlsSettings.Health health() {
    return new RlsSettings.Health(
        !isTrue("FORCE_START_WITHOUT_INITIAL_CONFIG"),
        isTrue("HEALTHY_WITH_AT_LEAST_ONE_CONFIG_LOADED"),
        isTrue("REDIS_HEALTH_CHECK_ACTIVE_CONNECTION"));
  }

  /** Under both names and on its port, for those who fetch metrics from it. */
  public MetricsSettings metrics() {
    if (!isTrue("USE_PROMETHEUS")) {
      return MetricsSettings.DEFAULT;
    }
    MetricsSettings both = new MetricsSettings(EnumSet.allOf(MetricsSettings.Names.class), null);
    String where = text("PROMETHEUS_ADDR").orElse(":9090");
    String path = text("PROMETHEUS_PATH").orElse("/metrics");
    int colon = where.lastIndexOf(':');
    String host = colon < 1 ? "0.0.0.0" : where.substring(0, colon);
    String port = where.substring(colon + 1);
    if (!isPort(port)) {
      refuse("PROMETHEUS_ADDR", where, "HOST:PORT or :PORT");
      return both;
    }
    try {
      return both.withListener(new MetricsSettings.Listener(host, Integer.parseInt(port), path));
    } catch (IllegalArgumentException e) {
      refuse("PROMETHEUS_PATH", path, "a path, such as /metrics");
      return both;
    }
  }

  /** The files for TLS on the port for gRPC; null for none. */
  public @Nullable Tls grpcTls() {
    if (!isTrue("GRPC_SERVER_USE_TLS")) {
      return null;
    }
    Optional<String> certificate = text("GRPC_SERVER_TLS_CERT");
    Optional<String> key = text("GRPC_SERVER_TLS_KEY");
    if (certificate.isEmpty() || key.isEmpty()) {
      refuse("GRPC_SERVER_TLS_CERT, GRPC_SERVER_TLS_KEY", "not both", "two PEM files");
      return null;
    }
    return new Tls(Path.of(certificate.get()), Path.of(key.get()), grpcClients());
  }

  /** Who may use gRPC where there is TLS; null for everybody. */
  public Tls.@Nullable Clients grpcClients() {
    return text("GRPC_CLIENT_TLS_CACERT")
        .map(ca -> new Tls.Clients(Path.of(ca), text("GRPC_CLIENT_TLS_SAN").orElse("")))
        .orElse(null);
  }

  /**
   * Where administrators ask. Its debug port is open to everybody and can do no harm; ours can, and
   * so it is for this machine only unless there is a token.
   */
  public String debugHost(boolean hasToken) {
    String usual = ServerSettings.DEFAULT.admin().host();
    String host = text("DEBUG_HOST").orElse(usual);
    return hasToken || ServerSettings.isLoopback(host) ? host : usual;
  }

  /** The counters' place as a URL of ours, if they are in Redis. */
  public Optional<String> store() {
    String backend = text("BACKEND_TYPE").orElse("redis");
    if (!backend.equals("redis")) {
      String expected = "redis, and REDIS_URL; or --store, which says where counters are kept";
      refuse("BACKEND_TYPE", backend, expected);
      return Optional.empty();
    }
    return new RedisVariables(this).url();
  }

  /** The management server that the configuration comes from, if it does. */
  public Optional<XdsSettings> xds() {
    return new XdsVariables(this).settings();
  }

  void refuse(String name, String value, String expected) {
    refuse(name + ": " + value + " (expected: " + expected + ")");
  }

  void refuse(String problem) {
    if (!refusals.contains(problem)) {
      refusals.add(problem); // once, though it may be read more than once
    }
  }

  /** What makes no sense, as far as it was read. */
  public List<String> refusals() {
    return List.copyOf(refusals);
  }

  /** For each variable that is there and changes nothing, a line that says what does. */
  public List<String> notes() {
    Map<String, String> notes = new TreeMap<>();
    for (String name : variables.keySet()) {
      String upper = name.toUpperCase(Locale.ROOT);
      Replaced.of(upper).ifPresent(instead -> notes.put(name, name + ": not used; " + instead));
    }
    if (!ServerSettings.isLoopback(text("DEBUG_HOST").orElse("localhost"))) {
      notes.put(
          "DEBUG_HOST",
          "DEBUG_HOST: not used unless there is --admin-token-env; administration is for this"
              + " machine");
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
