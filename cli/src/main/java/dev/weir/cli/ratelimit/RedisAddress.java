package dev.weir.cli.ratelimit;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * One of the addresses in REDIS_URL: {@code host:port}, the path of a socket, or a URL such as
 * {@code redis://user:password@host:port/database}.
 *
 * @param encrypted whether the URL requires TLS
 * @param isUrl whether the address is a URL, and therefore not a socket
 * @param location the host and port, or the path of the socket
 * @param user empty if the address has none
 * @param password empty if the address has none
 * @param database empty if the address has none
 */
record RedisAddress(
    boolean encrypted,
    boolean isUrl,
    String location,
    String user,
    String password,
    String database) {
  private static final String PLAIN = "redis://";
  private static final String ENCRYPTED = "rediss://";

  /** Parses an address; empty if it is invalid. */
  static Optional<RedisAddress> parse(String text) {
    String address = text.strip();
    boolean encrypted = address.startsWith(ENCRYPTED);
    if (!encrypted && !address.startsWith(PLAIN)) {
      boolean otherScheme = address.contains("://");
      RedisAddress plain = new RedisAddress(false, false, address, "", "", "");
      return otherScheme ? Optional.empty() : Optional.of(plain);
    }
    try {
      return Optional.of(
          url(encrypted, address.substring((encrypted ? ENCRYPTED : PLAIN).length())));
    } catch (IllegalArgumentException e) {
      return Optional.empty(); // an invalid percent escape
    }
  }

  private static RedisAddress url(boolean encrypted, String rest) {
    int question = rest.indexOf('?');
    Map<String, String> options = options(question < 0 ? "" : rest.substring(question + 1));
    String before = question < 0 ? rest : rest.substring(0, question);
    int slash = before.indexOf('/', before.lastIndexOf('@') + 1);
    String path = slash < 0 ? "" : before.substring(slash + 1);
    String authority = slash < 0 ? before : before.substring(0, slash);
    int at = authority.lastIndexOf('@');
    String login = at < 0 ? "" : authority.substring(0, at);
    int colon = login.indexOf(':');
    String user = decoded(colon < 0 ? login : login.substring(0, colon));
    String password = colon < 0 ? "" : decoded(login.substring(colon + 1));
    return new RedisAddress(
        encrypted,
        true,
        authority.substring(at + 1),
        user.isEmpty() ? options.getOrDefault("username", "") : user,
        password.isEmpty() ? options.getOrDefault("password", "") : password,
        path.isEmpty() ? options.getOrDefault("db", "") : path);
  }

  private static Map<String, String> options(String query) {
    Map<String, String> options = new HashMap<>();
    for (String pair : query.split("&", -1)) {
      int equals = pair.indexOf('=');
      if (equals > 0) {
        options.putIfAbsent(pair.substring(0, equals), decoded(pair.substring(equals + 1)));
      }
    }
    return options;
  }

  private static String decoded(String text) {
    return URLDecoder.decode(text.replace("+", "%2B"), StandardCharsets.UTF_8);
  }

  /** The location only, since the address may contain a password. */
  @Override
  public String toString() {
    return location;
  }
}
