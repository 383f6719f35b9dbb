package dev.weir.gateway;

import dev.weir.StoreFailure;
import dev.weir.gateway.GatewayStats.Outcome;
import dev.weir.rule.FailureMode;
import dev.weir.server.reply.DegradedCounters;
import dev.weir.server.reply.DegradedDecision;
import dev.weir.server.reply.Replies;
import io.vertx.core.http.HttpServerRequest;

/** Answers requests about which nothing was decided. */
final class Unanswered {
  private Unanswered() {}

  /** Sends 503 if the store failed, and a rule denies without it; else 500. */
  static Outcome refuse(HttpServerRequest request, Throwable failure, DegradedCounters degraded) {
    Throwable cause = StoreFailure.cause(failure);
    boolean store = cause instanceof StoreFailure;
    if (cause instanceof StoreFailure known) {
      degraded.add(FailureMode.DENY);
      DegradedDecision.deny(request, Replies.UNAVAILABLE, known.effect());
    } else {
      Replies.failed(request, cause);
    }
    UnreadBody.discard(request);
    return store ? Outcome.UNANSWERED : Outcome.INTERNAL_ERROR;
  }
}
