package dev.weir.server.reply;

import dev.weir.StoreFailure.Effect;
import dev.weir.rule.FailureMode;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.json.JsonObject;
import java.util.Locale;

/** Marks decisions that were made without the store, because it did not answer. */
public final class DegradedDecision {
  private static final CharSequence HEADER = HttpHeaders.createOptimized("Weir-Degraded");

  private DegradedDecision() {}

  /** The mode as it is written in rules. */
  public static String label(FailureMode mode) {
    return mode.name().toLowerCase(Locale.ROOT);
  }

  /** Adds the header that reports the mode. */
  public static void mark(HttpServerResponse response, FailureMode mode) {
    response.putHeader(HEADER, (CharSequence) label(mode));
  }

  /** Rejects a request, because a rule denies what it cannot count. */
  public static void deny(HttpServerRequest request, int status, Effect effect) {
    mark(request.response(), FailureMode.DENY);
    Replies.unavailable(request, denial(status, effect));
  }

  /** The problem document of such a rejection. */
  public static JsonObject denial(int status, Effect effect) {
    return Replies.unavailable(status, effect).put("degraded", label(FailureMode.DENY));
  }
}
