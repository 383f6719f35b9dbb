package dev.weir.server.reply;

import dev.weir.Decision;
import dev.weir.Decision.Basis;
import dev.weir.StoreFailure.Effect;
import dev.weir.rule.FailureMode;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.json.JsonObject;
import java.util.Locale;
import java.util.Optional;

/** Marks decisions that were made without the store, because it did not answer. */
public final class DegradedDecision {
  private static final CharSequence HEADER = HttpHeaders.createOptimized("Weir-Degraded");

  private DegradedDecision() {}

  /**
   * The failure mode by which a decision was made; empty if the store took part in it. A denial
   * counts by the claim that denied; otherwise the strictest mode of any claim counts.
   */
  public static Optional<FailureMode> failureMode(Decision decision) {
    if (decision.basis().compareTo(Basis.LOCAL) < 0) {
      return Optional.empty();
    }
    if (!decision.allowed()) {
      return failureMode(decision.each().get(decision.decisive().orElseThrow()).basis());
    }
    boolean alone = decision.each().stream().anyMatch(claim -> claim.basis() == Basis.LOCAL);
    return failureMode(alone ? Basis.LOCAL : decision.basis());
  }

  private static Optional<FailureMode> failureMode(Basis basis) {
    return switch (basis) {
      case COUNTED, LEASED, CACHED -> Optional.empty();
      case LOCAL -> Optional.of(FailureMode.LOCAL);
      case UNCOUNTED -> Optional.of(FailureMode.ALLOW);
    };
  }

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
