package dev.weir.rules.gateway;

import dev.weir.internal.Rejections;
import java.util.List;
import java.util.Optional;

/**
 * A service behind the gateway, and how requests reach it. Immutable.
 *
 * @param name by which routes refer to it
 * @param servers at least one; all of them with TLS, or none
 * @param connection how the gateway connects to each server
 * @param health how servers are probed; empty if they are not
 * @param ejection when a failing server is left out; empty if never
 * @param concurrency bounds the requests in flight to all servers together
 */
public record UpstreamSettings(
    String name,
    List<ServerAddress> servers,
    ConnectionSettings connection,
    Optional<HealthCheck> health,
    Optional<Ejection> ejection,
    ConcurrencyLimit concurrency) {
  /** The maximum number of servers. */
  public static final int MAX_SERVERS = 100;

  /**
   * Copies the servers.
   *
   * @throws IllegalArgumentException if there is none, too many, or only some have TLS
   */
  public UpstreamSettings {
    servers = List.copyOf(servers);
    if (servers.isEmpty() || servers.size() > MAX_SERVERS) {
      throw Rejections.of("servers", servers.size(), "between 1 and " + MAX_SERVERS);
    }
    if (servers.stream().map(ServerAddress::tls).distinct().count() > 1) {
      throw Rejections.of("servers", servers, "all with http, or all with https");
    }
  }

  /** An upstream of these servers with the defaults for everything else. */
  public static UpstreamSettings of(String name, List<ServerAddress> servers) {
    return new UpstreamSettings(
        name,
        servers,
        ConnectionSettings.DEFAULT,
        Optional.empty(),
        Optional.of(Ejection.DEFAULT),
        ConcurrencyLimit.NONE);
  }

  /** Whether connections to the servers are encrypted. */
  public boolean isTls() {
    return servers.get(0).tls();
  }
}
