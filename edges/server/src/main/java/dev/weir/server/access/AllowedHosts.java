package dev.weir.server.access;

import dev.weir.http.address.Ip;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.net.HostAndPort;
import java.util.Collection;
import java.util.HashSet;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The host names under which a port answers operators and browsers. Immutable and thread-safe.
 *
 * <p>The owner of a domain can point its name at any address, this machine's included, and then a
 * page of that name is same-origin with this port to every browser (DNS rebinding). An IP address
 * needs no name server, so it cannot be pointed elsewhere.
 */
public final class AllowedHosts {
  /** Top-level names that cannot be registered publicly. */
  private static final Set<String> PRIVATE = Set.of("local", "internal", "svc");

  private final Set<String> names;
  private final @Nullable Ip own;
  private final boolean anyAddress;
  private final boolean anyPrivateName;

  private AllowedHosts(
      String host, Collection<String> names, boolean anyAddress, boolean anyPrivateName) {
    this.names = new HashSet<>();
    names.forEach(name -> this.names.add(canonical(name)));
    this.names.add("localhost");
    this.names.add(canonical(host));
    this.own = Ip.parse(host);
    this.anyAddress = anyAddress;
    this.anyPrivateName = anyPrivateName;
  }

  /**
   * For the administration port: localhost, the address listened on and {@code names}; any IP
   * address, if other machines can reach the port.
   *
   * @param host the address listened on
   */
  public static AllowedHosts forAdministration(
      String host, boolean loopback, Collection<String> names) {
    return new AllowedHosts(host, names, !loopback, false);
  }

  /**
   * For a metrics-only port, which is scraped by IP address or by a private name: any of those, and
   * {@code names}.
   */
  public static AllowedHosts forMetrics(String host, Collection<String> names) {
    return new AllowedHosts(host, names, true, true);
  }

  /**
   * For requests that web pages make browsers send: any IP address, and {@code names}.
   *
   * @param host the address listened on
   */
  public static AllowedHosts forPages(String host, Collection<String> names) {
    return new AllowedHosts(host, names, true, false);
  }

  /**
   * Rejects a text that cannot be a host name.
   *
   * @throws IllegalArgumentException if it is none; the message says what is expected
   */
  public static void checkName(String name) {
    if (!name.matches("(?!-)[A-Za-z0-9._-]{1,253}")) {
      String shown = name.isEmpty() ? "nothing" : name;
      throw new IllegalArgumentException(
          "name: " + shown + " (expected: a name such as weir.example.com, without a port)");
    }
  }

  /**
   * Why a request is for another host; empty if it is for this one. A request without a host
   * passes: no browser sends one.
   */
  public Optional<String> foreign(HttpServerRequest request) {
    HostAndPort authority = request.authority();
    String hostHeader = request.getHeader(HttpHeaders.HOST);
    if ((authority == null && hostHeader == null)
        || (authority != null && allows(canonical(authority.host())))) {
      return Optional.empty();
    }
    String host = authority == null ? "not one" : authority.host();
    String shown = host.isEmpty() ? "nothing" : host.length() > 100 ? "too long" : host;
    String expected = "an address of this server, or a name of --admin-allowed-host";
    return Optional.of("Host: " + shown + " (expected: " + expected + ")");
  }

  private boolean allows(String host) {
    if (names.contains(host)) {
      return true;
    }
    boolean bracketed = host.startsWith("[") && host.endsWith("]");
    Ip address = Ip.parse(bracketed ? host.substring(1, host.length() - 1) : host);
    if (address != null) {
      return anyAddress || address.equals(own) || isLoopback(address);
    }
    return anyPrivateName && isPrivate(host);
  }

  private static boolean isLoopback(Ip address) {
    String text = address.toString();
    return address.isIpv4() ? text.startsWith("127.") : text.equals("::1");
  }

  /** A single label is resolved only inside a network. */
  private static boolean isPrivate(String host) {
    int dot = host.lastIndexOf('.');
    return dot < 0 ? host.matches("[a-z0-9_-]+") : PRIVATE.contains(host.substring(dot + 1));
  }

  /** Host names ignore case and the trailing dot of the root. */
  private static String canonical(String host) {
    String lower = host.toLowerCase(Locale.ROOT);
    return lower.endsWith(".") ? lower.substring(0, lower.length() - 1) : lower;
  }
}
