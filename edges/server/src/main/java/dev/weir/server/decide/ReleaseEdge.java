package dev.weir.server.decide;

import dev.weir.limiter.Limiter;
import dev.weir.server.reply.Replies;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.json.JsonObject;

/**
 * {@code POST /v1/release}: releases the concurrency permits of a decision. Safe for use by any
 * number of threads.
 */
public final class ReleaseEdge {
  /** The path of this edge. */
  public static final String PATH = "/v1/release";

  private final Limiter limiter;
  private final Permits permits;

  /** An edge on the limiter that granted the permits. */
  public ReleaseEdge(Limiter limiter, Permits permits) {
    this.limiter = limiter;
    this.permits = permits;
  }

  /**
   * Releases the permit of a body, and answers.
   *
   * @throws IllegalArgumentException if the body has no valid permit
   */
  public void handle(HttpServerRequest http, Buffer body) {
    JsonObject json = DecideEdge.object(body);
    if (!(json.getValue("permit") instanceof String permit) || json.size() != 1) {
      throw DecideRequest.refused("body", "no permit", "{\"permit\": \"…\"}");
    }
    Permits.Held held = permits.parse(permit);
    Replies.when(http, limiter.release(held.known()).stage(), done -> reply(http, held));
  }

  /** The answer is idempotent: the store does not know whether the permit was held until now. */
  private static void reply(HttpServerRequest http, Permits.Held held) {
    if (held.elsewhere()) {
      String owner = "counted by another server alone, or by this one before it was restarted";
      Replies.error(http, 409, "permit: " + owner + " (expected: the server that gave it)");
    } else {
      Replies.json(http, 200, new JsonObject().put("held", false));
    }
  }
}
