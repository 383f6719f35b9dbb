package dev.weir.gateway;

import dev.weir.rules.gateway.ServerAddress;
import dev.weir.rules.gateway.UpstreamSettings;
import dev.weir.server.TrafficHandler;
import dev.weir.server.metrics.HttpStats.Endpoint;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerRequest;
import java.util.List;
import java.util.Optional;

/**
 * A gateway for the calls of the warm-up, in front of a small server of its own: the services
 * behind a gateway must not notice its warm-up. Safe for use by any number of threads.
 */
final class WarmUpGateway implements TrafficHandler {
  private static final String LOOPBACK = "127.0.0.1";

  private final HttpServer server;
  private final GatewayEdge gateway;

  private WarmUpGateway(HttpServer server, GatewayEdge gateway) {
    this.server = server;
    this.gateway = gateway;
  }

  /** Starts the server, and the gateway in front of it. Do not call it on an event loop. */
  static WarmUpGateway start(Context context) {
    HttpServer server = listen(context.vertx());
    ServerAddress address = new ServerAddress(false, LOOPBACK, server.actualPort());
    UpstreamSettings upstream = UpstreamSettings.of("warm-up", List.of(address));
    GatewayOptions options = new GatewayOptions(Optional.of(upstream), Optional.empty());
    return new WarmUpGateway(server, new GatewayEdge(context, options));
  }

  private static HttpServer listen(Vertx vertx) {
    return vertx
        .createHttpServer()
        .requestHandler(request -> request.response().end("ok\n"))
        .listen(0, LOOPBACK)
        .await();
  }

  @Override
  public Endpoint endpoint(HttpServerRequest request) {
    return gateway.endpoint(request);
  }

  @Override
  public void handle(HttpServerRequest request) {
    gateway.handle(request);
  }

  @Override
  public void close() {
    gateway.close();
    var unused = server.close();
  }
}
