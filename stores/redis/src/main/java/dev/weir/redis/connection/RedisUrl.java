package dev.weir.redis.connection;

import dev.weir.redis.connection.RedisSettings.Kind;
import dev.weir.redis.connection.RedisSettings.Node;
import dev.weir.redis.connection.RedisSettings.Tls;
import dev.weir.redis.connection.RedisSettings.Verify;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Parses {@code scheme://[user[:password]@]host[:port][,host[:port]...][/database][?option=value]}.
 *
 * <p>No error message quotes the part with the password.
 */
final class RedisUrl {
  private static final Pattern FORM =
      Pattern.compile("([a-z+-]+)://(?:([^@/?#]*)@)?([^/?#@]*)(/[^?#]*)?(?:\\?([^#]*))?(?:#(.*))?");
  private static final Pattern DURATION = Pattern.compile("(\\d{1,9})(ms|s)");
  private static final Pattern PREFIX = Pattern.compile("[A-Za-z0-9:._-]{0,32}");
  private static final Set<String> OPTIONS =
      new TreeSet<>(
          Set.of(
              "deadline",
              "connect-timeout",
              "queue",
              "batch",
              "in-flight",
              "prefix",
              "master",
              "sentinel-user",
              "sentinel-password",
              "database",
              "ca",
              "cert",
              "key",
              "verify"));
  private static final String SCHEMES =
      "redis://, rediss://, redis-sentinel://, rediss-sentinel://, redis-cluster://,"
          + " rediss-cluster:// or redis-socket://";
  private static final int REDIS_PORT = 6379;
  private static final int SENTINEL_PORT = 26379;

  private final String scheme;
  private final @Nullable String userInfo;
  private final String hosts;
  private final String path;
  private final Map<String, String> options = new HashMap<>();

  RedisUrl(String url) {
    Matcher form = FORM.matcher(url.strip());
    if (!form.matches()) {
      // The scheme is never secret.
      int end = url.indexOf("://");
      throw invalid(
          "store",
          end < 0 ? "this" : url.substring(0, end) + "://…",
          "a URL, such as redis://localhost:6379");
    }
    if (url.indexOf('@') != url.lastIndexOf('@') || (form.group(2) == null && url.contains("@"))) {
      // Everything after the scheme may be part of a password.
      throw invalid(
          "store",
          form.group(1) + "://…",
          "one @, after the password; any other, and / ? # in the password, as %40 %2F %3F %23");
    }
    this.scheme = form.group(1);
    this.userInfo = form.group(2);
    this.hosts = form.group(3);
    this.path = form.group(4) == null ? "" : form.group(4);
    if (form.group(5) != null) {
      readOptions(form.group(5));
    }
    if (form.group(6) != null) {
      options.putIfAbsent("master", decoded(form.group(6)));
    }
  }

  private void readOptions(String query) {
    for (String pair : query.split("&", -1)) {
      int equals = pair.indexOf('=');
      String name = equals < 0 ? pair : pair.substring(0, equals);
      if (!OPTIONS.contains(name)) {
        throw invalid("option", name, "one of " + String.join(", ", OPTIONS));
      }
      if (equals < 0 || options.put(name, decoded(pair.substring(equals + 1))) != null) {
        throw invalid("option", name, "each option once, with a value");
      }
    }
  }

  RedisSettings settings() {
    boolean encrypted = scheme.startsWith("rediss");
    Kind kind =
        switch (scheme) {
          case "redis", "rediss", "redis-socket" -> Kind.STANDALONE;
          case "redis-sentinel", "rediss-sentinel" -> Kind.SENTINEL;
          case "redis-cluster", "rediss-cluster" -> Kind.CLUSTER;
          default -> throw invalid("scheme", scheme, SCHEMES);
        };
    boolean socket = scheme.equals("redis-socket");
    String master = options.get("master");
    if ((kind == Kind.SENTINEL) != (master != null)) {
      throw kind == Kind.SENTINEL
          ? invalid("master", "none", "the name of the master at the Sentinels: ?master=NAME")
          : invalid("master", String.valueOf(master), "only with redis-sentinel://");
    }
    for (String name : List.of("sentinel-user", "sentinel-password")) {
      if (kind != Kind.SENTINEL && options.containsKey(name)) {
        throw invalid("option", name, "only with redis-sentinel://");
      }
    }
    if (options.containsKey("sentinel-user") && !options.containsKey("sentinel-password")) {
      throw invalid("option", "sentinel-user", "sentinel-password with it");
    }
    if (kind == Kind.STANDALONE && hosts.contains(",")) {
      throw invalid("hosts", "several", "one host; or redis-sentinel:// or redis-cluster://");
    }
    int database = database(socket);
    if (kind == Kind.CLUSTER && database != 0) {
      throw invalid("database", database, "0, the only one a cluster has");
    }
    String user = null;
    String password = null;
    if (userInfo != null && !userInfo.isEmpty()) {
      int colon = userInfo.indexOf(':');
      user = colon <= 0 ? null : decoded(userInfo.substring(0, colon));
      password = decoded(userInfo.substring(colon + 1));
    }
    return new RedisSettings(
        kind,
        socket ? List.of() : nodes(kind == Kind.SENTINEL ? SENTINEL_PORT : REDIS_PORT),
        socket ? socket() : null,
        master,
        user,
        password,
        options.get("sentinel-user"),
        options.get("sentinel-password"),
        database,
        encrypted ? tls() : noTls(),
        deadline(),
        duration(
            "connect-timeout", Duration.ofSeconds(1), Duration.ofMillis(1), Duration.ofMinutes(1)),
        number("queue", 10_000, 1, RedisSettings.MAX_QUEUE),
        number("batch", 128, 1, RedisSettings.MAX_BATCH),
        number("in-flight", 1, 1, RedisSettings.MAX_IN_FLIGHT),
        prefix(),
        1_000);
  }

  private Duration deadline() {
    Duration min = RedisSettings.MIN_DEADLINE;
    return duration("deadline", Duration.ofMillis(25), min, RedisSettings.MAX_DEADLINE);
  }

  private int database(boolean socket) {
    if (options.containsKey("database")) {
      return number("database", 0, 0, 1_000_000);
    }
    if (socket || path.isEmpty() || path.equals("/")) {
      return 0;
    }
    options.put("database", path.substring(1));
    return number("database", 0, 0, 1_000_000);
  }

  private Path socket() {
    if (path.length() < 2 || !hosts.isEmpty()) {
      String found = hosts.isEmpty() ? path : "a host";
      throw invalid("socket", found, "redis-socket:///path/to/socket");
    }
    return Path.of(decoded(path));
  }

  private List<Node> nodes(int defaultPort) {
    List<Node> nodes = new ArrayList<>();
    for (String text : hosts.split(",", -1)) {
      int close = text.indexOf(']');
      int colon = text.indexOf(':', Math.max(close, 0));
      String host = colon < 0 ? text : text.substring(0, colon);
      boolean bracketed = host.startsWith("[") && host.endsWith("]");
      host = bracketed ? host.substring(1, host.length() - 1) : host;
      if (host.isEmpty() || (!bracketed && !host.matches("[A-Za-z0-9._-]+"))) {
        // The text after a colon may be a password whose @ is missing, and is not quoted.
        throw invalid("host", host.isEmpty() ? "none" : host, "a host, and its port after a colon");
      }
      String portText = text.substring(colon + 1);
      if (colon >= 0 && !portText.matches("\\d{1,5}")) {
        throw invalid("port", "not a number", "between 1 and 65535; and @ after a password");
      }
      int port = colon < 0 ? defaultPort : number("port", portText, 1, 65_535);
      nodes.add(new Node(host, port));
    }
    return nodes;
  }

  private @Nullable Tls noTls() {
    for (String name : List.of("ca", "cert", "key", "verify")) {
      if (options.containsKey(name)) {
        throw invalid("option", name, "only with rediss://, which is encrypted");
      }
    }
    return null;
  }

  private Tls tls() {
    String certificate = options.get("cert");
    String key = options.get("key");
    if ((certificate == null) != (key == null)) {
      throw invalid("option", certificate == null ? "key" : "cert", "cert and key together");
    }
    String verify = options.getOrDefault("verify", "full");
    Verify mode =
        switch (verify) {
          case "full" -> Verify.FULL;
          case "ca" -> Verify.CA;
          case "none" -> Verify.NONE;
          default -> throw invalid("verify", verify, "full, ca or none");
        };
    return new Tls(file("ca"), file("cert"), file("key"), mode);
  }

  private @Nullable Path file(String name) {
    String value = options.get(name);
    return value == null ? null : Path.of(value);
  }

  private String prefix() {
    String prefix = options.getOrDefault("prefix", "w:");
    if (!PREFIX.matcher(prefix).matches()) {
      throw invalid("prefix", prefix, "letters, digits and :._-, at most 32");
    }
    return prefix;
  }

  private Duration duration(String name, Duration defaultValue, Duration min, Duration max) {
    String value = options.get(name);
    if (value == null) {
      return defaultValue;
    }
    Matcher matcher = DURATION.matcher(value);
    if (matcher.matches()) {
      long count = Long.parseLong(matcher.group(1));
      Duration duration =
          matcher.group(2).equals("s") ? Duration.ofSeconds(count) : Duration.ofMillis(count);
      if (duration.compareTo(min) >= 0 && duration.compareTo(max) <= 0) {
        return duration;
      }
    }
    String between = "between " + min.toMillis() + "ms and " + max.toMillis() + "ms";
    throw invalid(name, value, "a time such as 25ms or 1s, " + between);
  }

  private int number(String name, int defaultValue, int min, int max) {
    String value = options.get(name);
    return value == null ? defaultValue : number(name, value, min, max);
  }

  private static int number(String name, String value, int min, int max) {
    if (value.matches("\\d{1,9}")) {
      int number = Integer.parseInt(value);
      if (number >= min && number <= max) {
        return number;
      }
    }
    throw invalid(name, value, "a number between " + min + " and " + max);
  }

  private static String decoded(String text) {
    try {
      return URLDecoder.decode(text.replace("+", "%2B"), StandardCharsets.UTF_8);
    } catch (IllegalArgumentException e) {
      throw invalid("store", "an invalid % escape", "two hexadecimal digits after each %");
    }
  }

  private static IllegalArgumentException invalid(String field, Object value, String expected) {
    return new IllegalArgumentException(field + ": " + value + " (expected: " + expected + ")");
  }
}
