package dev.weir.server;

import dev.weir.server.access.AllowedHosts;
import dev.weir.server.access.Authenticator;
import dev.weir.server.access.BearerToken;
import dev.weir.server.access.FailedTokens;
import dev.weir.server.access.OperationsAccess;
import dev.weir.server.access.RoleTokens;
import dev.weir.server.access.Sessions;
import dev.weir.server.audit.AuditLog;
import dev.weir.server.reply.BrowserGuard;
import dev.weir.server.reply.CrossSiteGuard;
import dev.weir.server.settings.AdminSettings;
import dev.weir.server.settings.MetricsSettings;
import dev.weir.server.settings.ServerSettings;
import dev.weir.server.tls.Tls;
import io.vertx.core.json.JsonObject;
import java.time.InstantSource;
import org.jspecify.annotations.Nullable;

/**
 * The access rules of each port.
 *
 * @param traffic who may change counters on the traffic port
 * @param grpc who may change counters on the gRPC port
 */
record PortAccess(OperationsAccess traffic, OperationsAccess grpc) {

  static PortAccess of(ServerSettings settings) {
    BearerToken operations = token(settings.admin().tokens().operations());
    return new PortAccess(
        operations(settings.tls(), operations), operations(settings.grpc().tls(), operations));
  }

  /** What browsers may send to the admin port. */
  static BrowserGuard browsers(ServerSettings settings) {
    return new BrowserGuard(adminHosts(settings));
  }

  /** Who sends requests to the admin port. Wrong tokens are recorded. */
  static Authenticator authenticator(ServerSettings settings, InstantSource clock, AuditLog audit) {
    AdminSettings.Tokens tokens = settings.admin().tokens();
    return new Authenticator(
        new RoleTokens(token(tokens.operator()), token(tokens.viewer())),
        adminHosts(settings),
        new Sessions(clock),
        new FailedTokens(clock),
        (address, unreported) -> audit.recordUnknown(address, "wrong-token", others(unreported)));
  }

  private static JsonObject others(int unreported) {
    JsonObject details = new JsonObject();
    return unreported == 0 ? details : details.put("addressesNotRecorded", unreported);
  }

  private static AllowedHosts adminHosts(ServerSettings settings) {
    AdminSettings admin = settings.admin();
    boolean loopback = ServerSettings.isLoopback(admin.host());
    return AllowedHosts.forAdministration(admin.host(), loopback, admin.names());
  }

  /** What browsers may send to a port for metrics alone. */
  static BrowserGuard metrics(ServerSettings settings, MetricsSettings.Listener alone) {
    return new BrowserGuard(AllowedHosts.forMetrics(alone.host(), settings.admin().names()));
  }

  /** What web pages may send to the traffic port. */
  static CrossSiteGuard pagesOnTraffic(ServerSettings settings) {
    String host = settings.traffic().host();
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
