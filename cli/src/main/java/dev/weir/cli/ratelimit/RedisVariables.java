package dev.weir.cli.ratelimit;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** Where Redis is, by the variables of envoyproxy/ratelimit, as a URL of ours. */
final class RedisVariables {
  private final RatelimitEnvironment environment;

  RedisVariables(RatelimitEnvironment environment) {
    this.environment = environment;
  }

  Optional<String> url() {
    Optional<String> where = environment.text("REDIS_URL");
    if (where.isEmpty()) {
      return Optional.empty();
    }
    String type = environment.text("REDIS_TYPE").orElse("SINGLE").toUpperCase(Locale.ROOT);
    return switch (type) {
      case "SINGLE" -> Optional.of(single(where.get()));
      case "SENTINEL" -> sentinel(where.get());
      case "CLUSTER" -> Optional.of(url("-cluster", where.get().replace(" ", ""), options()));
      default -> {
        environment.refuse("REDIS_TYPE", type, "SINGLE, SENTINEL or CLUSTER");
        yield Optional.empty();
      }
    };
  }

  private String single(String where) {
    String socket = environment.text("REDIS_SOCKET_TYPE").orElse("unix");
    return socket.equals("unix")
        ? "redis-socket://" + login("REDIS_AUTH") + where + query(options())
        : url("", where, options());
  }

  /** The name of the master stands before the Sentinels. */
  private Optional<String> sentinel(String where) {
    int comma = where.indexOf(',');
    if (comma <= 0) {
      String expected = "the name of the master, a comma, and Sentinels";
      environment.refuse("REDIS_URL", "no comma in it", expected);
      return Optional.empty();
    }
    List<String> options = options();
    options.add("master=" + encoded(where.substring(0, comma)));
    environment
        .text("REDIS_SENTINEL_AUTH")
        .ifPresent(
            login -> {
              int colon = login.indexOf(':');
              if (colon > 0) {
                options.add("sentinel-user=" + encoded(login.substring(0, colon)));
              }
              options.add("sentinel-password=" + encoded(login.substring(colon + 1)));
            });
    return Optional.of(url("-sentinel", where.substring(comma + 1).replace(" ", ""), options));
  }

  private String url(String kind, String where, List<String> options) {
    String scheme = (isEncrypted() ? "rediss" : "redis") + kind;
    return scheme + "://" + login("REDIS_AUTH") + where + query(options);
  }

  private boolean isEncrypted() {
    return environment.isTrue("REDIS_TLS")
        || environment.text("REDIS_SOCKET_TYPE").orElse("").equals("tls");
  }

  /** A password, or a user and a password. */
  private String login(String name) {
    return environment
        .text(name)
        .map(
            login -> {
              int colon = login.indexOf(':');
              String user = colon > 0 ? encoded(login.substring(0, colon)) : "";
              return user + ":" + encoded(login.substring(colon + 1)) + "@";
            })
        .orElse("");
  }

  private List<String> options() {
    List<String> options = new ArrayList<>();
    add(options, "prefix", "CACHE_KEY_PREFIX");
    if (isEncrypted()) {
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
