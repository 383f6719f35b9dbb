package dev.weir.gateway;

import dev.weir.Decision;
import dev.weir.gateway.cost.Costs;
import dev.weir.gateway.cost.LlmRequest;
import dev.weir.gateway.cost.Settlement;
import dev.weir.gateway.proxy.BufferedBody;
import dev.weir.gateway.proxy.ExchangeResult;
import dev.weir.rule.book.Match;
import dev.weir.server.transport.ByteBudget;
import io.vertx.core.MultiMap;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * What one request costs: estimated on the way in, settled by what its response states. Confined to
 * the event loop of the request.
 */
final class RequestCost {
  private final Costs costs;
  private LlmRequest request = LlmRequest.NONE;
  private BufferedBody body = BufferedBody.NONE;
  private Optional<Settlement> settlement = Optional.empty();
  private long takenNanos;

  RequestCost(Costs costs) {
    this.costs = costs;
  }

  /**
   * Reads the body of a request for a language model.
   *
   * @param share of the bytes that may be buffered
   * @param then gets the name of the model; null if the body names none
   */
  void readBody(HttpServerRequest http, ByteBudget.Share share, Consumer<@Nullable String> then) {
    if (http.headers().contains(HttpHeaders.EXPECT)) {
      var unused = http.response().writeContinue();
    }
    BufferedBody.read(
        http,
        LlmRequest.MAX_BODY_BYTES,
        share,
        read -> {
          body = read;
          boolean encoded = http.headers().contains(HttpHeaders.CONTENT_ENCODING);
          request =
              read.isWhole() && !encoded
                  ? LlmRequest.read(read.bytes().getBytes(), http.path())
                  : LlmRequest.unreadable(read.bytes().length());
          then.accept(request.model());
        });
  }

  /** The match with estimates, which is about to be taken. */
  Match estimate(Match match) {
    takenNanos = costs.nanos();
    return costs.estimate(match, request);
  }

  /** The request passes. */
  void onGranted(Match match, Decision decision) {
    settlement = costs.open(match, decision, request, takenNanos);
    if (settlement.isPresent() && settlement.get().readsUsage() && request.isAtHand()) {
      body = BufferedBody.of(request.bodyThatAsksForUsage());
    }
  }

  /** What was read of the body, to be sent before the rest. */
  BufferedBody body() {
    return body;
  }

  /** Adjusts the headers for the upstream: a compressed response states nothing. */
  void adjust(MultiMap headers) {
    if (settlement.isPresent() && settlement.get().readsBody()) {
      headers.remove(HttpHeaders.ACCEPT_ENCODING);
    }
  }

  /** The response begins; headers that state a cost are not for the client. */
  void onResponse(HttpClientResponse from, HttpServerResponse to) {
    settlement.ifPresent(
        open -> {
          open.onHead(from.statusCode(), name -> from.headers().getAll(name));
          open.costHeaders().forEach(name -> to.headers().remove(name));
        });
  }

  void onResponseBytes(Buffer part) {
    if (settlement.isPresent() && settlement.get().readsBody()) {
      byte[] bytes = part.getBytes();
      settlement.get().onBody(bytes, 0, bytes.length);
    }
  }

  /** The request passed, and yet is not sent to the upstream. */
  void onNotSent() {
    settlement.ifPresent(Settlement::onUpstreamFailed);
  }

  /** The exchange is over. */
  void onEnd(ExchangeResult result, boolean answered) {
    settlement.ifPresent(
        open -> {
          switch (result) {
            case COMPLETE -> open.onEnd();
            case UNREACHABLE, UPSTREAM_BUSY -> open.onUpstreamFailed();
            case FAILED -> {
              if (answered) {
                open.onAborted();
              } else {
                open.onUpstreamFailed();
              }
            }
            default -> open.onAborted();
          }
        });
  }
}
