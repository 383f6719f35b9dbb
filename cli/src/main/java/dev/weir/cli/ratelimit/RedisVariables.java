package dev.weir.cli.ratelimit;

import dev.weir.redis.RedisSettings;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;

/** Where Redis is, by the variables of envoyproxy/ratelimit, as a URL of ours. */
final class RedisVariables {
  private static final String URL = "REDIS_URL";

  private final RatelimitEnvironment environment;

  RedisVariables(RatelimitEnvironment environment) {
    this.environment = environment;
  }

  Optional<String> url() {
    Optional<String> where = environment.text(URL);
    if (where.isEmpty()) {
      return Optional.empty();
    }
    String type = environment.text("REDIS_TYPE").orElse("SINGLE").toUpperCase(Locale.ROOT);
    Optional<String> url =
        switch (type) {
          case "SINGLE" -> single(where.get());
          case "SENTINEL" -> sentinel(where.get());
          case "CLUSTER" -> cluster(where.get());
          default -> {
            environment.refuse("REDIS_TYPE", type, "SINGLE, SENTINEL or CLUSTER");
            yield Optional.empty();
          }
        };
    url.ifPresent(this::checkFiles);
    return url;
  }

  /** A file that cannot be used is told at once, and by the name of its variable. */
  private void checkFiles(String url) {
    if (!url.startsWith("rediss")) {
      return;
    }
    RedisSettings settings;
    try {
      settings = RedisSettings.parse(url);
    } catch (IllegalArgumentException e) {
      return; // told by whoever opens the store, with all else that may be wrong
    }
    try {
      settings.checkFiles();
    } catch (IllegalArgumentException e) {
      environment.refuse(
          String.valueOf(e.getMessage())
              .replaceFirst("^ca: ", "REDIS_TLS_CACERT: ")
              .replaceFirst("^cert: ", "REDIS_TLS_CLIENT_CERT: ")
              .replaceFirst("^key: ", "REDIS_TLS_CLIENT_KEY: "));
    }
  }

  private Optional<String> single(String where) {
    List<RedisAddress> one = addresses(List.of(where));
    if (one.isEmpty()) {
      return Optional.empty();
    }
    String socket = environment.text("REDIS_SOCKET_TYPE").orElse("unix");
    if (socket.equals("unix") && !one.get(0).isUrl()) {
      return Optional.of("redis-socket://" + login(one) + where + query(options(one, true)));
    }
    return Optional.of(url("", one, login(one), options(one, true)));
  }

  private Optional<String> cluster(String where) {
    List<RedisAddress> nodes = addresses(List.of(where.split(",", -1)));
    return nodes.isEmpty()
        ? Optional.empty()
        : Optional.of(url("-cluster", nodes, login(nodes), options(nodes, true)));
  }

  /** The name of the master stands before the Sentinels, and what a URL says is for these. */
  private Optional<String> sentinel(String where) {
    int comma = where.indexOf(',');
    if (comma <= 0) {
      String expected = "the name of the master, a comma, and Sentinels";
      environment.refuse(URL, "no comma in it", expected);
      return Optional.empty();
    }
    String rest = where.substring(comma + 1);
    List<RedisAddress> sentinels = addresses(List.of(rest.split(",", -1)));
    if (sentinels.isEmpty()) {
      return Optional.empty();
    }
    List<String> options = options(sentinels, false);
    options.add("master=" + encoded(where.substring(0, comma)));
    Login login = login("REDIS_SENTINEL_AUTH", sentinels);
    if (!login.password.isEmpty()) {
      if (!login.user.isEmpty()) {
        options.add("sentinel-user=" + encoded(login.user));
      }
      options.add("sentinel-password=" + encoded(login.password));
    }
    return Optional.of(url("-sentinel", sentinels, login(List.of()), options));
  }

  /** All addresses of a list; none, and a refusal, if one of them makes no sense. */
  private List<RedisAddress> addresses(List<String> list) {
    List<RedisAddress> addresses = new ArrayList<>();
    for (String one : list) {
      Optional<RedisAddress> address = RedisAddress.parse(one);
      if (address.isEmpty()) {
        // It is not shown, since there may be a password in it.
        environment.refuse(URL, "an address of another kind", "host:port, or redis://host:port");
        return List.of();
      }
      addresses.add(address.get());
    }
    return addresses;
  }

  private String url(String kind, List<RedisAddress> at, String login, List<String> options) {
    String scheme = (isEncrypted(at) ? "rediss" : "redis") + kind;
    String hosts = at.stream().map(RedisAddress::where).collect(Collectors.joining(","));
    return scheme + "://" + login + hosts + query(options);
  }

  private boolean isEncrypted(List<RedisAddress> at) {
    return environment.isTrue("REDIS_TLS")
        || environment.text("REDIS_SOCKET_TYPE").orElse("").equals("tls")
        || at.stream().anyMatch(RedisAddress::encrypted);
  }

  private record Login(String user, String password) {}

  /** A password, or a user and a password, of a variable; else what the addresses say. */
  private Login login(String name, List<RedisAddress> at) {
    String text = environment.text(name).orElse("");
    int colon = text.indexOf(':');
    String user = colon > 0 ? text.substring(0, colon) : "";
    String password = text.substring(colon + 1);
    return new Login(
        user.isEmpty() ? first(at.stream().map(RedisAddress::user).toList()) : user,
        password.isEmpty() ? first(at.stream().map(RedisAddress::password).toList()) : password);
  }

  private static String first(List<String> texts) {
    return texts.stream().filter(text -> !text.isEmpty()).findFirst().orElse("");
  }

  private String login(List<RedisAddress> at) {
    Login login = login("REDIS_AUTH", at);
    return login.password.isEmpty()
        ? ""
        : encoded(login.user) + ":" + encoded(login.password) + "@";
  }

  /**
   * @param withDatabase whether these are addresses of Redis itself
   */
  private List<String> options(List<RedisAddress> at, boolean withDatabase) {
    List<String> options = new ArrayList<>();
    add(options, "prefix", "CACHE_KEY_PREFIX");
    String database = first(at.stream().map(RedisAddress::database).toList());
    if (withDatabase && !database.isEmpty()) {
      options.add("database=" + encoded(database));
    }
    if (isEncrypted(at)) {
      add(options, "ca", "REDIS_TLS_CACERT");
      add(options, "cert", "REDIS_TLS_CLIENT_CERT");
      add(options, "key", "REDIS_TLS_CLIENT_KEY");
      if (environment.isTrue("REDIS_TLS_SKIP_HOSTNAME_VERIFICATION")) {
        options.add("verify=ca"); // who the server is, but not by which name
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
