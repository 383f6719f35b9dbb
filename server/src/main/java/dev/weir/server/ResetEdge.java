package dev.weir.server;

import dev.weir.Claim;
import dev.weir.rule.Explanation;
import dev.weir.rule.Limiter;
import dev.weir.rule.Match;
import dev.weir.rule.Policy;
import dev.weir.rule.Rule;
import dev.weir.yaml.LiveRules;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/**
 * {@code POST /reset}: lets the counters of one caller begin anew. A counter that other callers
 * share is left as it is, unless {@code "shared": true} asks for it too.
 */
final class ResetEdge {
  /** Any but 0: with it the limits on what is in flight are reset too. */
  private static final long PERMIT = 1;

  private final Supplier<LiveRules> rules;
  private final Limiter limiter;
  private final ResetLog log = new ResetLog();

  ResetEdge(Supplier<LiveRules> rules, Limiter limiter) {
    this.rules = rules;
    this.limiter = limiter;
  }

  void handle(HttpServerRequest request, Buffer body) {
    Object json = Question.json(body);
    boolean shared = json instanceof JsonObject object && takeShared(object);
    Question question = Question.of(json);
    LiveRules live = rules.get();
    Replies.when(
        request,
        question.descriptor(live),
        descriptor -> reset(request, live.book().explain(descriptor, PERMIT), shared));
  }

  private void reset(HttpServerRequest request, List<Explanation> explained, boolean shared) {
    List<RuleReset> each = new ArrayList<>();
    for (Explanation one : explained) {
      if (one.applies() && hasCounters(one.match())) {
        each.add(RuleReset.of(one, shared));
      }
    }
    Replies.when(
        request,
        reset(each).whenComplete((done, failure) -> log.write(request, each, failure)),
        done -> Replies.json(request, 200, json(each)));
  }

  /** Whether shared counters are wanted too; takes the answer out of the question. */
  private static boolean takeShared(JsonObject object) {
    Object shared = object.getValue("shared", false);
    if (!(shared instanceof Boolean wanted)) {
      throw DecideRequest.refused("shared", shared, "true or false");
    }
    object.remove("shared");
    return wanted;
  }

  private static boolean hasCounters(Match match) {
    return !match.claims().isEmpty() || !match.shadows().isEmpty();
  }

  private CompletableFuture<Void> reset(List<RuleReset> each) {
    List<CompletableFuture<?>> all = new ArrayList<>();
    for (RuleReset one : each) {
      Match match = one.match();
      if (one.isLeft()) {
        continue;
      }
      if (!match.claims().isEmpty()) {
        all.add(limiter.forget(match).stage().toCompletableFuture());
      }
      if (!match.shadows().isEmpty()) {
        all.add(limiter.store().forget(match.shadows()).stage().toCompletableFuture());
      }
    }
    return CompletableFuture.allOf(all.toArray(CompletableFuture[]::new));
  }

  private static JsonObject json(List<RuleReset> each) {
    JsonArray counters = new JsonArray();
    int reset = 0;
    for (RuleReset one : each) {
      Match match = one.match();
      for (int i = 0; i < match.claims().size(); i++) {
        counters.add(counter(one, match.policies().get(i), match.claims().get(i), true));
      }
      for (int i = 0; i < match.shadows().size(); i++) {
        counters.add(counter(one, match.shadowPolicies().get(i), match.shadows().get(i), false));
      }
      reset += one.isLeft() ? 0 : match.claims().size() + match.shadows().size();
    }
    return new JsonObject()
        .put("reset", reset)
        .put("left", counters.size() - reset)
        .put("counters", counters);
  }

  private static JsonObject counter(RuleReset one, Policy policy, Claim claim, boolean enforced) {
    Rule rule = one.rule();
    JsonObject json =
        new JsonObject()
            .put("rule", rule.name())
            .put("policy", policy.name())
            .put("limit", DecideEdge.limit(claim.limit()))
            .put("enforced", enforced)
            .put("reset", !one.isLeft());
    one.sharedBecause().ifPresent(why -> json.put("shared", why));
    return json;
  }
}
