package dev.weir.rules.gateway.syntax;

import dev.weir.rules.gateway.ConcurrencyLimit;
import dev.weir.rules.gateway.ConcurrencyLimit.Algorithm;
import dev.weir.rules.gateway.ConnectionSettings;
import dev.weir.rules.gateway.ConnectionSettings.Protocol;
import dev.weir.rules.gateway.ConnectionSettings.Timeouts;
import dev.weir.rules.gateway.ConnectionSettings.Tls;
import dev.weir.rules.gateway.Ejection;
import dev.weir.rules.gateway.HealthCheck;
import dev.weir.rules.gateway.ServerAddress;
import dev.weir.rules.gateway.UpstreamSettings;
import dev.weir.rules.syntax.LimitSyntax;
import dev.weir.rules.yaml.Problems;
import dev.weir.rules.yaml.Section;
import dev.weir.rules.yaml.Spelling;
import dev.weir.rules.yaml.YamlNode;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/** Reads one upstream. Not thread-safe. */
final class UpstreamSyntax {
  static final Set<String> KEYS =
      Set.of(
          "servers",
          "protocol",
          "host",
          "connections",
          "connect-timeout",
          "response-timeout",
          "idle-timeout",
          "health",
          "ejection",
          "concurrency",
          "tls");
  static final Set<String> HEALTH_KEYS =
      Set.of("path", "every", "timeout", "healthy-after", "unhealthy-after");
  static final Set<String> EJECTION_KEYS = Set.of("failures", "time", "at-most");
  static final Set<String> TLS_KEYS = Set.of("ca", "name");

  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,99}");
  private static final Pattern HOST_NAME =
      Pattern.compile("[A-Za-z0-9_-]{1,63}(\\.[A-Za-z0-9_-]{1,63}){0,60}");
  private static final Pattern PROBE_PATH = Pattern.compile("/[!-~&&[^#]]{0,1023}");
  private static final int MAX_CONNECTIONS = 10_000;
  private static final int MAX_CONCURRENCY = 100_000;
  private static final int MAX_COUNT = 1_000;
  private static final Duration MILLISECOND = Duration.ofMillis(1);
  private static final Duration MINUTE = Duration.ofMinutes(1);
  private static final Duration HOUR = Duration.ofHours(1);
  private static final Duration DAY = Duration.ofDays(1);
  private static final Map<String, ConcurrencyLimit> CONCURRENCY =
      Map.of(
          "none", ConcurrencyLimit.NONE,
          "gradient", ConcurrencyLimit.adaptive(Algorithm.GRADIENT),
          "vegas", ConcurrencyLimit.adaptive(Algorithm.VEGAS),
          "aimd", ConcurrencyLimit.adaptive(Algorithm.AIMD));

  private final Path directory;
  private final Problems problems;

  /**
   * A reader for the upstreams of one file.
   *
   * @param directory that relative paths refer to
   */
  UpstreamSyntax(Path directory, Problems problems) {
    this.directory = directory;
    this.problems = problems;
  }

  /** Reads an upstream; empty if it is invalid. */
  Optional<UpstreamSettings> read(YamlNode.Field field) {
    long errors = problems.errors();
    String name = field.key().value();
    if (!NAME.matcher(name).matches()) {
      String expected = "letters, digits, dots, dashes and underscores, at most 100";
      problems.error(field.key().location(), "upstreams", name, expected);
    }
    if (field.value() instanceof YamlNode.Text text && !text.isNull()) {
      return Section.parse(text, name, ServerAddress::parse, problems)
          .filter(server -> problems.errors() == errors)
          .map(server -> UpstreamSettings.of(name, List.of(server)));
    }
    if (!(field.value() instanceof YamlNode.Fields)) {
      String expected = "a URL, or a mapping with servers";
      problems.error(field.value().location(), name, field.value().kind(), expected);
      return Optional.empty();
    }
    Section section = Section.of(field.value(), name, KEYS, problems);
    List<ServerAddress> servers = readServers(section);
    ConnectionSettings connection = readConnection(section, servers);
    Optional<HealthCheck> health = readHealth(section);
    Optional<Ejection> ejection = readEjection(section);
    ConcurrencyLimit concurrency =
        section.parse("concurrency", UpstreamSyntax::concurrency).orElse(ConcurrencyLimit.NONE);
    return problems.errors() > errors
        ? Optional.empty()
        : Optional.of(
            new UpstreamSettings(name, servers, connection, health, ejection, concurrency));
  }

  private List<ServerAddress> readServers(Section section) {
    if (section.lacks("servers")) {
      problems.error(section.location(), "servers", "nothing", "at least one URL");
    }
    List<YamlNode> nodes = section.list("servers");
    if (nodes.size() > UpstreamSettings.MAX_SERVERS) {
      String expected = "at most " + UpstreamSettings.MAX_SERVERS;
      problems.error(section.location("servers"), "servers", nodes.size() + " servers", expected);
      return List.of();
    }
    List<ServerAddress> servers = new ArrayList<>();
    for (YamlNode.Text text : section.texts("servers")) {
      Optional<ServerAddress> read = Section.parse(text, "servers", ServerAddress::parse, problems);
      if (read.isPresent() && servers.contains(read.get())) {
        problems.error(text.location(), "servers", text.value(), "each server once");
      } else if (read.isPresent()
          && !servers.isEmpty()
          && servers.get(0).tls() != read.get().tls()) {
        String expected = "all with http, or all with https";
        problems.error(text.location(), "servers", text.value(), expected);
      }
      read.ifPresent(servers::add);
    }
    return servers;
  }

  private ConnectionSettings readConnection(Section section, List<ServerAddress> servers) {
    ConnectionSettings defaults = ConnectionSettings.DEFAULT;
    Protocol protocol =
        section
            .choice("protocol", Map.of("http1", Protocol.HTTP1, "http2", Protocol.HTTP2))
            .orElse(defaults.protocol());
    boolean keepHost =
        section.choice("host", Map.of("keep", true, "rewrite", false)).orElse(defaults.keepHost());
    int connections =
        Values.number(section, "connections", 1, MAX_CONNECTIONS, defaults.connections());
    Timeouts before = defaults.timeouts();
    Timeouts timeouts =
        new Timeouts(
            Values.duration(section, "connect-timeout", MILLISECOND, MINUTE, before.connect()),
            Values.duration(section, "response-timeout", MILLISECOND, DAY, before.response()),
            Values.duration(section, "idle-timeout", MILLISECOND, DAY, before.idle()));
    return new ConnectionSettings(
        protocol, keepHost, connections, timeouts, readTls(section, servers));
  }

  private Tls readTls(Section section, List<ServerAddress> servers) {
    YamlNode node = section.node("tls");
    if (node == null) {
      return Tls.DEFAULT;
    }
    if (!servers.isEmpty() && !servers.get(0).tls()) {
      String expected = "https in the servers' URLs, since these connections are not encrypted";
      problems.error(section.location("tls"), "tls", "beside http", expected);
    }
    Section tls = Section.of(node, "tls", TLS_KEYS, problems);
    return new Tls(
        tls.parse("ca", this::certificates), tls.parse("name", UpstreamSyntax::certificateName));
  }

  private Path certificates(String written) {
    try {
      Path file = directory.resolve(written);
      if (Files.isRegularFile(file) && Files.isReadable(file)) {
        return file;
      }
    } catch (InvalidPathException e) {
      // Reported below, like any other name that no file has.
    }
    throw LimitSyntax.invalid("ca", written, "a file of certificates that can be read");
  }

  private static String certificateName(String written) {
    if (!HOST_NAME.matcher(written).matches()) {
      throw LimitSyntax.invalid("name", written, "a host name, such as orders.internal");
    }
    return written;
  }

  private Optional<HealthCheck> readHealth(Section upstream) {
    YamlNode node = upstream.node("health");
    if (node == null || Values.isNone(upstream, "health")) {
      return Optional.empty();
    }
    Section section = Section.of(node, "health", HEALTH_KEYS, problems);
    if (section.lacks("path")) {
      problems.error(node.location(), "path", "nothing", "the path to probe, such as /healthz");
    }
    Optional<String> path = section.parse("path", UpstreamSyntax::probePath);
    Duration every =
        Values.duration(section, "every", Duration.ofMillis(100), HOUR, HealthCheck.EVERY);
    Duration shorter = every.compareTo(HealthCheck.TIMEOUT) < 0 ? every : HealthCheck.TIMEOUT;
    Duration timeout = Values.duration(section, "timeout", MILLISECOND, every, shorter);
    int healthy = Values.number(section, "healthy-after", 1, MAX_COUNT, HealthCheck.HEALTHY_AFTER);
    int unhealthy =
        Values.number(section, "unhealthy-after", 1, MAX_COUNT, HealthCheck.UNHEALTHY_AFTER);
    return path.map(one -> new HealthCheck(one, every, timeout, healthy, unhealthy));
  }

  private static String probePath(String written) {
    if (!PROBE_PATH.matcher(written).matches()) {
      throw LimitSyntax.invalid("path", written, "a path that begins with /, without blanks");
    }
    return written;
  }

  private Optional<Ejection> readEjection(Section upstream) {
    YamlNode node = upstream.node("ejection");
    if (Values.isNone(upstream, "ejection")) {
      return Optional.empty();
    }
    Ejection defaults = Ejection.DEFAULT;
    if (node == null) {
      return Optional.of(defaults);
    }
    Section section = Section.of(node, "ejection", EJECTION_KEYS, problems);
    return Optional.of(
        new Ejection(
            Values.number(section, "failures", 1, MAX_COUNT, defaults.failures()),
            Values.duration(section, "time", MILLISECOND, HOUR, defaults.time()),
            Values.percent(section, "at-most", 1, defaults.maxPercent())));
  }

  private static ConcurrencyLimit concurrency(String written) {
    ConcurrencyLimit word = CONCURRENCY.get(written);
    if (word != null) {
      return word;
    }
    int fixed = written.matches("\\d{1,6}") ? Integer.parseInt(written) : 0;
    if (fixed >= 1 && fixed <= MAX_CONCURRENCY) {
      return ConcurrencyLimit.fixed(fixed);
    }
    String expected =
        Spelling.nearest(written, CONCURRENCY.keySet())
            .map(near -> near + "; did you mean that?")
            .orElse(
                "a number between 1 and " + MAX_CONCURRENCY + ", gradient, vegas, aimd or none");
    throw LimitSyntax.invalid("concurrency", written, expected);
  }
}
