package dev.weir.server.listen;

import dev.weir.server.metrics.HttpStats;
import io.vertx.core.Handler;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;

/** Records status and duration of a request when its response has ended or never will. */
final class TimedRequest implements Handler<Void> {
  private final HttpStats stats;
  private final HttpStats.Endpoint endpoint;
  private final HttpServerResponse response;
  private final long startNanos = System.nanoTime();

  private TimedRequest(HttpStats stats, HttpStats.Endpoint endpoint, HttpServerResponse response) {
    this.stats = stats;
    this.endpoint = endpoint;
    this.response = response;
  }

  static void begin(HttpStats stats, HttpStats.Endpoint endpoint, HttpServerRequest request) {
    HttpServerResponse response = request.response();
    response.endHandler(new TimedRequest(stats, endpoint, response));
  }

  /** Vert.x calls this once: when the response ends, or when the connection or stream closes. */
  @Override
  public void handle(Void ended) {
    int status = response.ended() ? response.getStatusCode() : HttpStats.NO_ANSWER;
    stats.record(endpoint, status, System.nanoTime() - startNanos);
  }
}
