package dev.weir.server.decide;

import dev.weir.Claim;
import dev.weir.Decision;
import dev.weir.Limit;
import dev.weir.http.response.DenialBody;
import dev.weir.limiter.Degradation;
import dev.weir.rule.Rule;
import dev.weir.rule.book.Charge;
import dev.weir.rule.book.Match;
import dev.weir.server.reply.DegradedDecision;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.Locale;

/** Writes decisions as JSON. */
public final class DecisionJson {
  private DecisionJson() {}

  /** A decision with its claims, as JSON. */
  public static JsonObject of(Match match, Decision decision) {
    JsonObject out =
        numbers(decision).put("rule", match.decisiveRule(decision).map(Rule::name).orElse(null));
    JsonArray each = new JsonArray();
    for (int i = 0; i < match.charges().size() && i < decision.each().size(); i++) {
      Charge charge = match.charges().get(i);
      Claim claim = charge.claim();
      each.add(
          numbers(decision.each().get(i))
              .put("rule", charge.rule().name())
              .put("policy", charge.policy().name())
              .put("limit", limit(claim.limit()))
              .put("cost", claim.cost()));
    }
    out.put("claims", each);
    if (!decision.allowed()) {
      out.put("status", DenialBody.status(match));
    }
    return out;
  }

  /** A limit as JSON. */
  public static JsonObject limit(Limit limit) {
    JsonObject out =
        new JsonObject()
            .put("algorithm", label(limit.algorithm().name()))
            .put("permits", limit.permits())
            .put("capacity", limit.capacity())
            .put("windowMillis", limit.windowMicros() / 1_000);
    limit.calendar().ifPresent(window -> out.put("calendar", window.toString()));
    return out;
  }

  /** The verdict and the numbers of one decision, as JSON. */
  public static JsonObject numbers(Decision decision) {
    JsonObject out =
        new JsonObject()
            .put("allowed", decision.allowed())
            .put("verdict", label(decision.verdict().name()))
            .put("remaining", decision.remaining())
            .put("resetAfterMillis", ceilMillis(decision.resetAfter()))
            .put("delayMillis", ceilMillis(decision.delay()));
    Degradation.failureMode(decision)
        .ifPresent(mode -> out.put("degraded", DegradedDecision.label(mode)));
    decision.retryAfter().ifPresent(wait -> out.put("retryAfterMillis", ceilMillis(wait)));
    if (decision.debt() > 0) {
      out.put("debt", decision.debt());
    }
    return out;
  }

  private static long ceilMillis(Duration duration) {
    return duration.plusNanos(999_999).toMillis();
  }

  private static String label(String constant) {
    return constant.toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
