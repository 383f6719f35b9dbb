package dev.weir.server;

import dev.weir.rule.Limiter;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.json.JsonObject;

/** {@code POST /v1/release}: gives back the places in flight that a permit holds. */
final class ReleaseEdge {
  static final String PATH = "/v1/release";

  private final Limiter limiter;
  private final Permits permits;

  ReleaseEdge(Limiter limiter, Permits permits) {
    this.limiter = limiter;
    this.permits = permits;
  }

  void handle(HttpServerRequest http, Buffer body) {
    JsonObject json = DecideEdge.object(body);
    if (!(json.getValue("permit") instanceof String permit) || json.size() != 1) {
      throw DecideRequest.refused("body", "no permit", "{\"permit\": \"…\"}");
    }
    Permits.Held held = permits.parse(permit);
    Replies.when(http, limiter.release(held.known()).stage(), done -> reply(http, held));
  }

  /** Says what is true however often it is asked: nobody knows whether it was held until now. */
  private static void reply(HttpServerRequest http, Permits.Held held) {
    if (held.elsewhere()) {
      String whose = "counted by another server alone, or by this one before it was restarted";
      Replies.error(http, 409, "permit: " + whose + " (expected: the server that gave it)");
    } else {
      Replies.json(http, 200, new JsonObject().put("held", false));
    }
  }
}
