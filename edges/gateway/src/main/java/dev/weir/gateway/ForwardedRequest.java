package dev.weir.gateway;

import dev.weir.Decision;
import dev.weir.gateway.GatewayStats.Outcome;
import dev.weir.gateway.proxy.Exchange;
import dev.weir.gateway.proxy.ExchangeHandler;
import dev.weir.gateway.proxy.ExchangeResult;
import dev.weir.gateway.proxy.Forwarding;
import dev.weir.gateway.upstream.Upstream;
import dev.weir.rule.book.Match;
import dev.weir.server.reply.DecisionHeaders;
import dev.weir.server.reply.Replies;
import dev.weir.server.shed.LoadShedder;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClientRequest;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.http.HttpVersion;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A request that passed the rules and the gate of its upstream, until its response has ended.
 * Confined to the event loop of the request.
 */
final class ForwardedRequest implements ExchangeHandler {
  private static final int BUSY_SECONDS = 1;
  private static final int REQUEST_TIMEOUT = 408;
  private static final int BAD_GATEWAY = 502;
  private static final int GATEWAY_TIMEOUT = 504;

  private final HttpServerRequest http;
  private final Upstream upstream;
  private final Forwarding forwarding;
  private final Granted granted;
  private final Exchange exchange;
  private final Consumer<Outcome> onEnd;
  private final long startNanos = System.nanoTime();
  private boolean answered;

  /**
   * The decision that let a request pass.
   *
   * @param headers writes it into the response
   * @param cost is settled when the response has ended
   * @param shedder learns how long requests wait for connections
   */
  record Granted(
      Match match,
      Decision decision,
      DecisionHeaders headers,
      RequestCost cost,
      Optional<LoadShedder> shedder) {
    void writeTo(HttpServerResponse response) {
      headers.write(response, match, decision);
    }
  }

  /**
   * @param onEnd gets the outcome, once
   */
  ForwardedRequest(
      HttpServerRequest http,
      Upstream upstream,
      Forwarding forwarding,
      Granted granted,
      Consumer<Outcome> onEnd) {
    this.http = http;
    this.upstream = upstream;
    this.forwarding = forwarding;
    this.granted = granted;
    this.onEnd = onEnd;
    this.exchange = forwarding.exchange(upstream, granted.cost().body(), this);
  }

  /** Sends the request. */
  void begin() {
    exchange.begin(startNanos);
  }

  /** Ends the exchange if one of its time limits has passed. */
  void checkTime(long nowNanos) {
    exchange.checkTime(nowNanos);
  }

  @Override
  public void onRequest(HttpClientRequest request, long waitNanos) {
    granted.cost().adjust(request.headers());
    granted.shedder().ifPresent(one -> one.onQueueDelay(waitNanos, System.nanoTime()));
  }

  @Override
  public void onResponse(HttpClientResponse from, HttpServerResponse response) {
    answered = true;
    response.putHeader("X-Request-Id", forwarding.requestId());
    granted.writeTo(response);
    granted.cost().onResponse(from, response);
  }

  @Override
  public void onResponseBytes(Buffer part) {
    granted.cost().onResponseBytes(part);
  }

  @Override
  public void onEnd(ExchangeResult result) {
    upstream.leaveGate(exchange.responseNanos(startNanos), result.forGate());
    granted.cost().onEnd(result, answered);
    switch (result) {
      case UPSTREAM_BUSY -> {
        Capacity.refuse(http, BUSY_SECONDS);
        UnreadBody.discard(http);
      }
      case UNREACHABLE, FAILED ->
          fail(BAD_GATEWAY, "the service behind this gateway did not answer properly");
      case SLOW_CLIENT -> {
        fail(REQUEST_TIMEOUT, "the request took too long to arrive");
        if (http.version() != HttpVersion.HTTP_2) {
          var unused = http.connection().close();
        }
      }
      case COMPLETE -> UnreadBody.discard(http); // the upstream did not wait for it
      case TIMED_OUT -> fail(GATEWAY_TIMEOUT, "the service behind this gateway did not answer");
      default -> {}
    }
    onEnd.accept(Outcome.valueOf(result.name()));
  }

  private void fail(int status, String detail) {
    if (!http.response().headWritten()) {
      http.response().putHeader("X-Request-Id", forwarding.requestId());
      granted.writeTo(http.response());
      Replies.error(http, status, detail);
      UnreadBody.discard(http);
    }
  }

  /** The URL of the server that got the request last; null before that. */
  @Nullable String serverAddress() {
    return exchange.serverAddress();
  }

  /** The bytes of the body that were sent to the upstream. */
  long requestBytes() {
    return exchange.requestBytes();
  }

  /** The bytes of the body that were sent to the client. */
  long responseBytes() {
    return exchange.responseBytes();
  }
}
