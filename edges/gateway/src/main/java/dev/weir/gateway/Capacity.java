package dev.weir.gateway;

import dev.weir.http.response.DenialBody;
import io.vertx.core.http.HttpServerRequest;

/** Answers requests for which there is no capacity at the moment. */
final class Capacity {
  private static final int UNAVAILABLE = 503;
  private static final String BODY =
      "{\"type\":\"https://iana.org/assignments/http-problem-types#temporary-reduced-capacity\","
          + "\"title\":\"Temporary reduced capacity\",\"status\":503,"
          + "\"detail\":\"Try again in ";

  private Capacity() {}

  /** Sends 503 with the problem type of the IETF draft. */
  static void refuse(HttpServerRequest request, int retryAfterSeconds) {
    var unused =
        request
            .response()
            .setStatusCode(UNAVAILABLE)
            .putHeader("Retry-After", Integer.toString(retryAfterSeconds))
            .putHeader("Cache-Control", "no-store")
            .putHeader("Content-Type", DenialBody.PROBLEM_TYPE)
            .end(BODY + retryAfterSeconds + " s.\"}");
  }
}
