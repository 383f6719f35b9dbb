package dev.weir.rules.gateway;

import dev.weir.internal.Rejections;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The address of one server of an upstream. Immutable.
 *
 * @param tls whether connections to it are encrypted
 * @param host a name in lower case or an address; an IPv6 address without brackets
 * @param port between 1 and 65535
 */
public record ServerAddress(boolean tls, String host, int port) {
  private static final Pattern URL =
      Pattern.compile(
          "(?<scheme>https?)://(?<host>[a-z0-9_-]{1,63}(?:\\.[a-z0-9_-]{1,63}){0,60}\\.?"
              + "|\\[[0-9a-f:.]{2,45}\\])(?::(?<port>\\d{1,5}))?/?",
          Pattern.CASE_INSENSITIVE);
  private static final int MAX_CHARS = 300;
  private static final int MAX_PORT = 65_535;

  /**
   * Parses {@code http://127.0.0.1:9000} or {@code https://orders.internal}.
   *
   * @throws IllegalArgumentException if it is no such URL, or has a path, a query or a user
   */
  public static ServerAddress parse(String url) {
    Matcher parts = URL.matcher(url);
    if (url.length() > MAX_CHARS || !parts.matches()) {
      throw Rejections.of("server", url, expected(url));
    }
    boolean tls = parts.group("scheme").equalsIgnoreCase("https");
    String host = parts.group("host").toLowerCase(Locale.ROOT);
    int port =
        parts.group("port") == null ? defaultPort(tls) : Integer.parseInt(parts.group("port"));
    if (port < 1 || port > MAX_PORT) {
      throw Rejections.of("server", url, "a port between 1 and " + MAX_PORT);
    }
    return new ServerAddress(
        tls, host.startsWith("[") ? host.substring(1, host.length() - 1) : host, port);
  }

  private static String expected(String url) {
    int authority = url.indexOf("://");
    String rest = authority < 0 ? "" : url.substring(authority + 3);
    if (rest.indexOf('@') >= 0) {
      return "a URL without a user";
    }
    if (rest.indexOf('?') >= 0 || rest.indexOf('#') >= 0) {
      return "a URL without a query";
    }
    return rest.indexOf('/') >= 0
        ? "a URL without a path, since requests keep theirs"
        : "http:// or https://, a host and perhaps a port, such as http://127.0.0.1:9000";
  }

  private static int defaultPort(boolean tls) {
    return tls ? 443 : 80;
  }

  /** The host and, unless it is the default, the port, as a {@code Host} header has them. */
  public String authority() {
    String name = host.indexOf(':') >= 0 ? "[" + host + "]" : host;
    return port == defaultPort(tls) ? name : name + ":" + port;
  }

  /** The URL, which {@link #parse} reads. */
  @Override
  public String toString() {
    return (tls ? "https://" : "http://") + authority();
  }
}
