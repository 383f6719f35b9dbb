package dev.weir.server;

import dev.weir.server.access.AllowedHosts;
import dev.weir.server.access.BearerToken;
import dev.weir.server.access.OperationsAccess;
import dev.weir.server.reply.AdminGuard;
import dev.weir.server.reply.CrossSiteGuard;
import dev.weir.server.settings.MetricsSettings;
import dev.weir.server.settings.ServerSettings;
import dev.weir.server.tls.Tls;
import org.jspecify.annotations.Nullable;

/**
 * The access rules of each port.
 *
 * @param traffic who may change counters on the traffic port
 * @param grpc who may change counters on the gRPC port
 * @param admin who may use the admin port, where they may change counters too
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

  /** Who may use a port for metrics alone. */
  static AdminGuard metrics(ServerSettings settings, MetricsSettings.Listener alone) {
    return new AdminGuard(AllowedHosts.forMetrics(alone.host(), settings.admin().names()), null);
  }

  /** What web pages may send to the traffic port. */
  static CrossSiteGuard pagesOnTraffic(ServerSettings settings) {
    return pages(settings, settings.traffic().host());
  }

  /** What web pages may send to the admin port. */
  static CrossSiteGuard pagesOnAdmin(ServerSettings settings) {
    return pages(settings, settings.admin().host());
  }

  private static CrossSiteGuard pages(ServerSettings settings, String host) {
    return new CrossSiteGuard(AllowedHosts.forPages(host, settings.admin().names()));
  }

  /** Where clients need a certificate, every client is trusted; elsewhere it needs the token. */
  private static OperationsAccess operations(@Nullable Tls tls, @Nullable BearerToken token) {
    return tls != null && tls.clients() != null
        ? OperationsAccess.everybody()
        : OperationsAccess.withToken(token);
  }

  private static @Nullable BearerToken token(@Nullable String secret) {
    return secret == null ? null : new BearerToken(secret);
  }
}
