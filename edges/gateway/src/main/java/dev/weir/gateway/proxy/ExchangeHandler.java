package dev.weir.gateway.proxy;

import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClientRequest;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpServerResponse;

/** Follows an exchange. Called on its event loop. */
public interface ExchangeHandler {
  /**
   * A connection to the upstream is there; the request has its headers, and may be changed.
   *
   * @param waitNanos how long the connection took
   */
  void onRequest(HttpClientRequest upstream, long waitNanos);

  /** The upstream answers; the client's response has its status and headers, and may be changed. */
  void onResponse(HttpClientResponse upstream, HttpServerResponse client);

  /** A part of the response is about to be sent to the client. */
  void onResponseBytes(Buffer part);

  /** The exchange is over; called once. If nothing was sent to the client, answer it now. */
  void onEnd(ExchangeResult result);
}
