package dev.weir.gateway.proxy;

import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpServerRequest;
import org.jspecify.annotations.Nullable;

/**
 * A response on its way to the client: its head, and its body or an upgraded connection. Confined
 * to one event loop.
 */
final class Download {
  private final HttpServerRequest request;
  private final ExchangeHandler handler;
  private final ExchangeClock clock;
  private @Nullable Pump pump;
  private @Nullable Tunnel tunnel;

  Download(HttpServerRequest request, ExchangeHandler handler, ExchangeClock clock) {
    this.request = request;
    this.handler = handler;
    this.clock = clock;
  }

  /** Prepares the head, which is sent with the first byte; false if it must not be sent. */
  boolean prepare(HttpClientResponse in) {
    try {
      ResponseHead.copy(in, request);
      handler.onResponse(in, request.response());
      return true;
    } catch (IllegalArgumentException e) { // an end of line in a value, for example
      request.response().setStatusMessage("Bad Gateway").headers().clear();
      return false;
    }
  }

  /** Sends the response. */
  void begin(HttpClientResponse in, Exchange exchange) {
    Pump created =
        new Pump(
            in,
            request.response(),
            part -> {
              clock.onBytes();
              handler.onResponseBytes(part);
            });
    pump = created;
    created.endAt(
        ResponseHead.length(in), last -> request.response().end(last).onComplete(exchange::onSent));
    created.start(
        () -> {
          ResponseHead.copyTrailers(in, request);
          request.response().end().onComplete(exchange::onSent);
        });
  }

  /** Switches both connections to the protocol that the client asked for. */
  void upgrade(HttpClientResponse in, Exchange exchange) {
    in.pause();
    tunnel = Tunnel.open(in, request, exchange);
  }

  boolean isUpgraded() {
    return tunnel != null;
  }

  /** Drops what still comes. */
  void stop() {
    if (pump != null) {
      pump.stop();
    }
    if (tunnel != null) {
      tunnel.close();
    }
  }

  /** The bytes that were sent to the client, without the head. */
  long bytes() {
    return pump == null ? tunnel == null ? 0 : tunnel.bytes() : pump.bytes();
  }
}
