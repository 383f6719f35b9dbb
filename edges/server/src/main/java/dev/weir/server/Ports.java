package dev.weir.server;

import dev.weir.server.admin.AdminEdge;
import dev.weir.server.grpc.GrpcEdge;
import dev.weir.server.listen.Listeners.Where;
import dev.weir.server.metrics.Metrics;
import dev.weir.server.reply.BrowserGuard;
import dev.weir.server.settings.AdminSettings;
import dev.weir.server.settings.MetricsSettings;
import dev.weir.server.settings.ServerSettings;
import dev.weir.server.transport.ConnectionLimits;

/**
 * The ports that a server listens on; {@link ServerSettings#OFF} where it does not.
 *
 * @param metrics the port for metrics alone
 */
record Ports(int traffic, int grpc, int admin, int metrics) {
  /** The ports of a server that does not listen yet. */
  static final Ports NONE = new Ports(0, ServerSettings.OFF, 0, ServerSettings.OFF);

  /**
   * Listens on all ports, in the order of this record.
   *
   * @throws dev.weir.server.listen.CannotListen if it cannot, for example because a port is taken
   */
  static Ports open(ServerSettings settings, ServerRuntime runtime, Edges edges) {
    int instances = Math.max(1, Runtime.getRuntime().availableProcessors());
    ConnectionLimits limits =
        settings.connections() == null ? ConnectionLimits.byOpenFiles(2) : settings.connections();
    return new Ports(
        openTraffic(settings, limits, instances, runtime, edges.traffic),
        openGrpc(settings.grpc(), limits, instances, runtime, edges.grpc),
        openAdmin(settings, runtime, edges.admin),
        openMetrics(settings, runtime));
  }

  private static int openTraffic(
      ServerSettings settings,
      ConnectionLimits limits,
      int instances,
      ServerRuntime runtime,
      TrafficHandler edge) {
    ServerSettings.Traffic traffic = settings.traffic();
    return runtime.listeners.listen(
        instances,
        new Where(traffic.host(), traffic.port(), settings.tls(), limits),
        edge::configure,
        edge::endpoint,
        request -> runtime.warmUpCalls.onTraffic(request, edge::handle));
  }

  private static int openGrpc(
      ServerSettings.Grpc grpc,
      ConnectionLimits limits,
      int instances,
      ServerRuntime runtime,
      GrpcEdge edge) {
    if (grpc.port() == ServerSettings.OFF) {
      return ServerSettings.OFF;
    }
    return runtime.listeners.listenGrpc(
        instances,
        new Where(grpc.host(), grpc.port(), grpc.tls(), limits),
        GrpcEdge::suit,
        request -> runtime.warmUpCalls.onGrpc(request, edge::handle));
  }

  private static int openAdmin(ServerSettings settings, ServerRuntime runtime, AdminEdge edge) {
    AdminSettings admin = settings.admin();
    Where where = new Where(admin.host(), admin.port(), settings.tls());
    return runtime.listeners.listen(
        1, where, AdminEdge::configure, AdminEdge::endpoint, edge::handle);
  }

  private static int openMetrics(ServerSettings settings, ServerRuntime runtime) {
    MetricsSettings.Listener alone = settings.metrics().listener();
    if (alone == null) {
      return ServerSettings.OFF;
    }
    BrowserGuard guard = PortAccess.metrics(settings, alone);
    return runtime.listeners.listen(
        1,
        new Where(alone.host(), alone.port(), settings.tls()),
        request -> Metrics.endpoint(request, alone.path()),
        request -> runtime.metrics.handle(request, alone.path(), guard));
  }
}
