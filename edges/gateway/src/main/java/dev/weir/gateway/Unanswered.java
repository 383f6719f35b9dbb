package dev.weir.gateway;

import dev.weir.StoreFailure;
import dev.weir.rule.FailureMode;
import dev.weir.server.reply.DegradedCounters;
import dev.weir.server.reply.DegradedDecision;
import dev.weir.server.reply.Replies;
import io.vertx.core.http.HttpServerRequest;

/** Answers requests about which the store did not decide, and which a rule denies without it. */
final class Unanswered {
  private Unanswered() {}

  /** Sends 503 if the store failed, else 500. */
  static void refuse(HttpServerRequest request, Throwable failure, DegradedCounters degraded) {
    Throwable cause = StoreFailure.cause(failure);
    if (cause instanceof StoreFailure known) {
      degraded.add(FailureMode.DENY);
      DegradedDecision.deny(request, Replies.UNAVAILABLE, known.effect());
    } else {
      Replies.failed(request, cause);
    }
  }
}
