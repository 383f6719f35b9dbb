package dev.weir.server.admin;

import dev.weir.Claim;
import dev.weir.Decision;
import dev.weir.StoreFailure;
import dev.weir.limiter.Limiter;
import dev.weir.rule.book.Match;
import dev.weir.rule.book.Twin;
import dev.weir.server.decide.DecisionJson;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** How rules with a candidate stand towards a request: which of both limits is in force. */
final class CandidateStates {
  private CandidateStates() {}

  /** The states as JSON, by the name of the rule; spends nothing. */
  static CompletionStage<Map<String, JsonObject>> of(Match match, Limiter limiter) {
    CompletionStage<Map<String, JsonObject>> all =
        CompletableFuture.completedFuture(new HashMap<>());
    for (Twin twin : match.twins()) {
      all =
          all.thenCombine(
              state(twin, limiter),
              (states, one) -> {
                states.put(twin.rule().name(), one);
                return states;
              });
    }
    return all;
  }

  private static CompletionStage<JsonObject> state(Twin twin, Limiter limiter) {
    return limiter
        .store()
        .peek(twin.claims())
        .stage()
        .handle(
            (decision, failure) -> {
              if (failure == null || StoreFailure.cause(failure) instanceof StoreFailure) {
                return json(twin, decision);
              }
              throw new CompletionException(StoreFailure.cause(failure));
            });
  }

  /** The limits that are not in force for this caller, and what they would decide. */
  private static JsonObject json(Twin twin, @Nullable Decision decision) {
    List<Claim> claims = twin.claims();
    JsonArray counters = new JsonArray();
    for (int i = 0; i < claims.size(); i++) {
      JsonObject numbers =
          decision == null ? new JsonObject() : DecisionJson.numbers(decision.each().get(i));
      counters.add(
          numbers
              .put("limit", DecisionJson.limit(claims.get(i).limit()))
              .put("cost", claims.get(i).cost()));
    }
    JsonObject other = new JsonObject().put("counters", counters);
    if (decision != null) {
      other.put("allowed", decision.allowed());
    }
    return new JsonObject().put("inForce", !twin.ofCandidate()).put("other", other);
  }
}
