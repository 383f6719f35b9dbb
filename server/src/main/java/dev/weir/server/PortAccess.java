package dev.weir.server;

import dev.weir.server.access.AllowedHosts;
import dev.weir.server.access.BearerToken;
import dev.weir.server.access.OperationsAccess;
import org.jspecify.annotations.Nullable;

/**
 * Who may do what on each port.
 *
 * @param traffic who may change counters on the port for traffic
 * @param grpc who may on that for gRPC
 * @param admin who may ask on that for administration, and change counters too
 */
record PortAccess(OperationsAccess traffic, OperationsAccess grpc, AdminGuard admin) {

  static PortAccess of(ServerSettings settings) {
    ServerSettings.Admin admin = settings.admin();
    boolean loopback = ServerSettings.isLoopback(admin.host());
    AllowedHosts hosts = AllowedHosts.forAdministration(admin.host(), loopback, admin.names());
    BearerToken operations = token(admin.operationsToken());
    return new PortAccess(
        operations(settings.tls(), operations),
        operations(settings.grpc().tls(), operations),
        new AdminGuard(hosts, token(admin.token())));
  }

  /** Who may ask on a port for metrics alone. */
  static AdminGuard metrics(ServerSettings settings, MetricsSettings.Listener alone) {
    return new AdminGuard(AllowedHosts.forMetrics(alone.host(), settings.admin().names()), null);
  }

  /** What pages may send to the port for traffic. */
  static CrossSiteGuard pagesOnTraffic(ServerSettings settings) {
    return pages(settings, settings.traffic().host());
  }

  /** What pages may send to the port for administration. */
  static CrossSiteGuard pagesOnAdmin(ServerSettings settings) {
    return pages(settings, settings.admin().host());
  }

  private static CrossSiteGuard pages(ServerSettings settings, String host) {
    return new CrossSiteGuard(AllowedHosts.forPages(host, settings.admin().names()));
  }

  /** Where clients must show a certificate, they all have. */
  private static OperationsAccess operations(@Nullable Tls tls, @Nullable BearerToken token) {
    return tls != null && tls.clients() != null
        ? OperationsAccess.everybody()
        : OperationsAccess.withToken(token);
  }

  private static @Nullable BearerToken token(@Nullable String secret) {
    return secret == null ? null : new BearerToken(secret);
  }
}
