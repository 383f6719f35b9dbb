package dev.weir.server.access;

import dev.weir.http.Ip;
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
 * By which names a port answers to operators, and to browsers.
 *
 * <p>Whoever owns a name can lead it to any address, this machine's included, and then a page of
 * that name is of the same site as this port to every browser (DNS rebinding). An address needs no
 * name server, and so nobody can lead it elsewhere.
 */
public final class AllowedHosts {
  /** Names that nobody can register. */
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
   * For administration: this machine, the address that is listened on, and the names that are
   * given; any address, where other machines can ask.
   *
   * @param host that is listened on
   */
  public static AllowedHosts forAdministration(
      String host, boolean loopback, Collection<String> names) {
    return new AllowedHosts(host, names, !loopback, false);
  }

  /** For metrics alone, which are fetched by address, or by a name of the inside of a network. */
  public static AllowedHosts forMetrics(String host, Collection<String> names) {
    return new AllowedHosts(host, names, true, true);
  }

  /**
   * For what a page makes a browser send: any address, and the names that are given.
   *
   * @param host that is listened on
   */
  public static AllowedHosts forPages(String host, Collection<String> names) {
    return new AllowedHosts(host, names, true, false);
  }

  /**
   * Refuses what cannot be the name of a host.
   *
   * @throws IllegalArgumentException with what was expected
   */
  public static void checkName(String name) {
    if (!name.matches("(?!-)[A-Za-z0-9._-]{1,253}")) {
      String shown = name.isEmpty() ? "nothing" : name;
      throw new IllegalArgumentException(
          "name: " + shown + " (expected: a name such as weir.example.com, without a port)");
    }
  }

  /** Why a request is for another host, if it is; whoever names none is not a browser. */
  public Optional<String> foreign(HttpServerRequest request) {
    HostAndPort asked = request.authority();
    String given = request.getHeader(HttpHeaders.HOST);
    if ((asked == null && given == null) || (asked != null && allows(canonical(asked.host())))) {
      return Optional.empty();
    }
    String host = asked == null ? "not one" : asked.host();
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

  /** One word alone is looked up inside a network only. */
  private static boolean isPrivate(String host) {
    int dot = host.lastIndexOf('.');
    return dot < 0 ? host.matches("[a-z0-9_-]+") : PRIVATE.contains(host.substring(dot + 1));
  }

  /** Names are the same in capitals, and with the dot of the root behind them. */
  private static String canonical(String host) {
    String lower = host.toLowerCase(Locale.ROOT);
    return lower.endsWith(".") ? lower.substring(0, lower.length() - 1) : lower;
  }
}
