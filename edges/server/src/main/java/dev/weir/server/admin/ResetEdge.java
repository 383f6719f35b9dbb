package dev.weir.server.admin;

import dev.weir.Claim;
import dev.weir.Descriptor;
import dev.weir.limiter.Limiter;
import dev.weir.rule.Rule;
import dev.weir.rule.action.CallerActions;
import dev.weir.rule.book.Charge;
import dev.weir.rule.book.Explanation;
import dev.weir.rule.book.Match;
import dev.weir.rule.book.RuleBook;
import dev.weir.rule.book.Twin;
import dev.weir.rules.RulesSnapshot;
import dev.weir.server.access.Operator;
import dev.weir.server.action.ActionRequest;
import dev.weir.server.action.CallerHash;
import dev.weir.server.decide.DecideRequest;
import dev.weir.server.decide.DecisionJson;
import dev.weir.server.reply.AuditedActions;
import dev.weir.server.reply.Replies;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * {@code POST /reset}: resets the counters of one caller. A counter that other callers share is
 * left as it is, unless {@code "shared": true} asks for it too. Safe for use by any number of
 * threads.
 */
public final class ResetEdge {
  /** Any holder but 0: with it, concurrency limits are reset too. */
  private static final long HOLDER = 1;

  private final Supplier<RulesSnapshot> rules;
  private final Limiter limiter;
  private final Function<Long, Optional<List<String>>> identities;
  private final AuditedActions actions;

  /**
   * An edge on the active rules and the limiter; resets are recorded.
   *
   * @param identities the names and values, alternating, that identify the caller with a hash, if
   *     this server remembers them: the keys of a caller's counters are hashes of them, and cannot
   *     be derived from the hash. Called on a worker thread
   */
  public ResetEdge(
      Supplier<RulesSnapshot> rules,
      Limiter limiter,
      AuditedActions actions,
      Function<Long, Optional<List<String>>> identities) {
    this.rules = rules;
    this.limiter = limiter;
    this.identities = identities;
    this.actions = actions;
  }

  void handle(HttpServerRequest request, Operator who, Buffer body) {
    Object json = AdminQuery.json(body);
    boolean shared = json instanceof JsonObject object && removeShared(object);
    if (json instanceof JsonObject object && object.containsKey("caller")) {
      resetByHash(request, who, object, shared);
      return;
    }
    AdminQuery query = AdminQuery.of(json);
    RulesSnapshot live = rules.get();
    Replies.when(
        request,
        query.descriptor(live),
        descriptor -> reset(request, who, explained(live, descriptor, shared)));
  }

  /** Whom operators have blocked or exempted has counters all the same. */
  private static List<RuleReset> explained(
      RulesSnapshot live, Descriptor descriptor, boolean shared) {
    List<RuleReset> each = new ArrayList<>();
    RuleBook book = live.book().adjusted(Map.of(), CallerActions.NONE);
    for (Explanation one : book.explain(descriptor, HOLDER)) {
      if (one.applies() && hasCounters(one.match())) {
        each.add(RuleReset.of(one, shared));
      }
    }
    return each;
  }

  /** Resets every counter that the caller may have, whatever its requests were. */
  private void resetByHash(
      HttpServerRequest request, Operator who, JsonObject object, boolean shared) {
    long hash = ActionRequest.caller(object.remove("caller")).getAsLong();
    if (!object.isEmpty()) {
      throw DecideRequest.refused(
          "field", object.fieldNames().iterator().next(), "caller, shared; or values, request");
    }
    Replies.when(
        request,
        Vertx.currentContext()
            .executeBlocking(() -> identities.apply(hash), false)
            .toCompletionStage(),
        identity -> reset(request, who, hash, identity.filter(one -> !one.isEmpty()), shared));
  }

  private void reset(
      HttpServerRequest request,
      Operator who,
      long hash,
      Optional<List<String>> identity,
      boolean shared) {
    if (identity.isEmpty()) {
      String expected = "a caller whose identity this server remembers; or values, or request";
      String detail = "caller: " + CallerHash.text(hash) + " (expected: " + expected + ")";
      Replies.error(request, 404, detail);
      return;
    }
    List<RuleReset> each = new ArrayList<>();
    rules
        .get()
        .book()
        .countersOf(identity.get(), HOLDER)
        .forEach((rule, match) -> each.add(RuleReset.of(rule, match, identity.get(), shared)));
    reset(request, who, each);
  }

  private void reset(HttpServerRequest request, Operator who, List<RuleReset> each) {
    actions.perform(
        request,
        who,
        "reset",
        ResetDetails.of(each),
        () -> reset(each),
        done -> Replies.json(request, 200, json(each)));
  }

  /** Whether shared counters are to be reset too; removes the field from the body. */
  private static boolean removeShared(JsonObject object) {
    Object shared = object.getValue("shared", false);
    if (!(shared instanceof Boolean wanted)) {
      throw DecideRequest.refused("shared", shared, "true or false");
    }
    object.remove("shared");
    return wanted;
  }

  private static boolean hasCounters(Match match) {
    return !match.charges().isEmpty() || !match.shadows().isEmpty() || !match.twins().isEmpty();
  }

  private CompletableFuture<Void> reset(List<RuleReset> each) {
    List<CompletableFuture<?>> all = new ArrayList<>();
    for (RuleReset one : each) {
      Match match = one.match();
      if (one.isLeft()) {
        continue;
      }
      if (!match.claims().isEmpty()) {
        all.add(limiter.reset(match).stage().toCompletableFuture());
      }
      if (!match.shadows().isEmpty()) {
        List<Claim> claims = match.shadows().stream().map(Charge::claim).toList();
        all.add(limiter.store().reset(claims).stage().toCompletableFuture());
      }
      for (Twin twin : match.twins()) {
        all.add(limiter.store().reset(twin.claims()).stage().toCompletableFuture());
      }
    }
    return CompletableFuture.allOf(all.toArray(CompletableFuture[]::new));
  }

  private static JsonObject json(List<RuleReset> each) {
    JsonArray counters = new JsonArray();
    int reset = 0;
    for (RuleReset one : each) {
      Match match = one.match();
      int before = counters.size();
      match.charges().forEach(charge -> counters.add(counter(one, charge)));
      match.shadows().forEach(charge -> counters.add(counter(one, charge)));
      match.twins().forEach(twin -> twin.charges().forEach(of -> counters.add(counter(one, of))));
      reset += one.isLeft() ? 0 : counters.size() - before;
    }
    return new JsonObject()
        .put("reset", reset)
        .put("left", counters.size() - reset)
        .put("counters", counters);
  }

  private static JsonObject counter(RuleReset one, Charge charge) {
    Rule rule = one.rule();
    JsonObject json =
        new JsonObject()
            .put("rule", rule.name())
            .put("policy", charge.policy().name())
            .put("limit", DecisionJson.limit(charge.claim().limit()))
            .put("enforced", charge.enforced())
            .put("reset", !one.isLeft());
    one.sharedBecause().ifPresent(reason -> json.put("shared", reason));
    return json;
  }
}
