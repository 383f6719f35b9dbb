package dev.weir.cli.ratelimit;

import dev.weir.redis.connection.RedisSettings;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;

/** Builds a URL for {@code --store} from the Redis variables of envoyproxy/ratelimit. */
final class RedisVariables {
  private static final String URL = "REDIS_URL";

  private final RatelimitEnvironment environment;

  RedisVariables(RatelimitEnvironment environment) {
    this.environment = environment;
  }

  /** The URL; empty if no Redis is configured or a variable is invalid. */
  Optional<String> url() {
    Optional<String> address = environment.text(URL);
    if (address.isEmpty()) {
      return Optional.empty();
    }
    String type = environment.text("REDIS_TYPE").orElse("SINGLE").toUpperCase(Locale.ROOT);
    Optional<String> url =
        switch (type) {
          case "SINGLE" -> single(address.get());
          case "SENTINEL" -> sentinel(address.get());
          case "CLUSTER" -> cluster(address.get());
          default -> {
            environment.addProblem("REDIS_TYPE", type, "SINGLE, SENTINEL or CLUSTER");
            yield Optional.empty();
          }
        };
    url.ifPresent(this::checkFiles);
    return url;
  }

  /** Reports an unusable file at once, by the name of its variable. */
  private void checkFiles(String url) {
    if (!url.startsWith("rediss")) {
      return;
    }
    RedisSettings settings;
    try {
      settings = RedisSettings.parse(url);
    } catch (IllegalArgumentException e) {
      return; // opening the store reports it
    }
    try {
      settings.checkFiles();
    } catch (IllegalArgumentException e) {
      environment.addProblem(
          String.valueOf(e.getMessage())
              .replaceFirst("^ca: ", "REDIS_TLS_CACERT: ")
              .replaceFirst("^cert: ", "REDIS_TLS_CLIENT_CERT: ")
              .replaceFirst("^key: ", "REDIS_TLS_CLIENT_KEY: "));
    }
  }

  private Optional<String> single(String address) {
    List<RedisAddress> one = addresses(List.of(address));
    if (one.isEmpty()) {
      return Optional.empty();
    }
    String socket = environment.text("REDIS_SOCKET_TYPE").orElse("unix");
    if (socket.equals("unix") && !one.get(0).isUrl()) {
      return Optional.of("redis-socket://" + login(one) + address + query(options(one, true)));
    }
    return Optional.of(url("", one, login(one), options(one, true)));
  }

  private Optional<String> cluster(String addresses) {
    List<RedisAddress> nodes = addresses(List.of(addresses.split(",", -1)));
    return nodes.isEmpty()
        ? Optional.empty()
        : Optional.of(url("-cluster", nodes, login(nodes), options(nodes, true)));
  }

  /** The first entry is the name of the master; credentials in a URL are those of the Sentinels. */
  private Optional<String> sentinel(String entries) {
    int comma = entries.indexOf(',');
    if (comma <= 0) {
      String expected = "the name of the master, a comma, and Sentinels";
      environment.addProblem(URL, "no comma", expected);
      return Optional.empty();
    }
    String rest = entries.substring(comma + 1);
    List<RedisAddress> sentinels = addresses(List.of(rest.split(",", -1)));
    if (sentinels.isEmpty()) {
      return Optional.empty();
    }
    List<String> options = options(sentinels, false);
    options.add("master=" + encoded(entries.substring(0, comma)));
    Login login = login("REDIS_SENTINEL_AUTH", sentinels);
    if (!login.password.isEmpty()) {
      if (!login.user.isEmpty()) {
        options.add("sentinel-user=" + encoded(login.user));
      }
      options.add("sentinel-password=" + encoded(login.password));
    }
    return Optional.of(url("-sentinel", sentinels, login(List.of()), options));
  }

  /** Parses a list of addresses; empty, with a recorded problem, if one is invalid. */
  private List<RedisAddress> addresses(List<String> list) {
    List<RedisAddress> addresses = new ArrayList<>();
    for (String one : list) {
      Optional<RedisAddress> address = RedisAddress.parse(one);
      if (address.isEmpty()) {
        // The message omits the address, which may contain a password.
        environment.addProblem(URL, "unsupported address", "host:port, or redis://host:port");
        return List.of();
      }
      addresses.add(address.get());
    }
    return addresses;
  }

  private String url(
      String kind, List<RedisAddress> addresses, String login, List<String> options) {
    String scheme = (isEncrypted(addresses) ? "rediss" : "redis") + kind;
    String hosts = addresses.stream().map(RedisAddress::location).collect(Collectors.joining(","));
    return scheme + "://" + login + hosts + query(options);
  }

  private boolean isEncrypted(List<RedisAddress> addresses) {
    return environment.isTrue("REDIS_TLS")
        || environment.text("REDIS_SOCKET_TYPE").orElse("").equals("tls")
        || addresses.stream().anyMatch(RedisAddress::encrypted);
  }

  private record Login(String user, String password) {}

  /**
   * The credentials of a variable, {@code password} or {@code user:password}, else those of the
   * addresses.
   */
  private Login login(String name, List<RedisAddress> addresses) {
    String text = environment.text(name).orElse("");
    int colon = text.indexOf(':');
    String user = colon > 0 ? text.substring(0, colon) : "";
    String password = text.substring(colon + 1);
    return new Login(
        user.isEmpty() ? first(addresses.stream().map(RedisAddress::user).toList()) : user,
        password.isEmpty()
            ? first(addresses.stream().map(RedisAddress::password).toList())
            : password);
  }

  private static String first(List<String> texts) {
    return texts.stream().filter(text -> !text.isEmpty()).findFirst().orElse("");
  }

  private String login(List<RedisAddress> addresses) {
    Login login = login("REDIS_AUTH", addresses);
    return login.password.isEmpty()
        ? ""
        : encoded(login.user) + ":" + encoded(login.password) + "@";
  }

  /**
   * The options in the query of the URL.
   *
   * @param withDatabase whether the addresses are those of Redis itself, not of Sentinels
   */
  private List<String> options(List<RedisAddress> addresses, boolean withDatabase) {
    List<String> options = new ArrayList<>();
    add(options, "prefix", "CACHE_KEY_PREFIX");
    String database = first(addresses.stream().map(RedisAddress::database).toList());
    if (withDatabase && !database.isEmpty()) {
      options.add("database=" + encoded(database));
    }
    if (isEncrypted(addresses)) {
      add(options, "ca", "REDIS_TLS_CACERT");
      add(options, "cert", "REDIS_TLS_CLIENT_CERT");
      add(options, "key", "REDIS_TLS_CLIENT_KEY");
      if (environment.isTrue("REDIS_TLS_SKIP_HOSTNAME_VERIFICATION")) {
        options.add("verify=ca"); // the certificate, but not the host name
      }
    }
    return options;
  }

  private void add(List<String> options, String option, String name) {
    environment.text(name).ifPresent(value -> options.add(option + "=" + encoded(value)));
  }

  private static String query(List<String> options) {
    return options.isEmpty() ? "" : "?" + String.join("&", options);
  }

  private static String encoded(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
  }
}
