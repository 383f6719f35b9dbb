package dev.weir.server;

import dev.weir.server.stats.HttpStats;
import io.vertx.core.Handler;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;

/** A request whose headers have arrived: counted once its answer has ended, or never will. */
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

  /** Vert.x calls this once: when the answer ends, or when the connection or stream is closed. */
  @Override
  public void handle(Void ended) {
    int status = response.ended() ? response.getStatusCode() : HttpStats.NO_ANSWER;
    stats.record(endpoint, status, System.nanoTime() - startNanos);
  }
}
