package dev.weir.server.admin;

import dev.weir.Answer;
import dev.weir.Claim;
import dev.weir.Decision;
import dev.weir.Descriptor;
import dev.weir.LimitKey;
import dev.weir.Mode;
import dev.weir.StoreFailure;
import dev.weir.StoreFailure.Effect;
import dev.weir.limiter.Limiter;
import dev.weir.rule.Percent;
import dev.weir.rule.Rule;
import dev.weir.rule.book.Charge;
import dev.weir.rule.book.Explanation;
import dev.weir.rule.book.Match;
import dev.weir.rule.condition.PathReadings;
import dev.weir.rules.RulesSnapshot;
import dev.weir.server.action.Actions;
import dev.weir.server.action.CallerHash;
import dev.weir.server.decide.DecisionJson;
import dev.weir.server.reply.DegradedDecision;
import dev.weir.server.reply.Replies;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.function.IntSupplier;
import java.util.function.Predicate;
import java.util.function.Supplier;

/**
 * {@code POST /explain}: which rules apply to a request, and the state of its counters. Safe for
 * use by any number of threads.
 */
public final class ExplainEdge {
  /** The maximum number of listed rules that do not apply: there may be a hundred thousand. */
  public static final int MAX_NOT_APPLYING = 1_000;

  /** Any holder but 0: with it, concurrency limits are peeked at too. */
  private static final long HOLDER = 1;

  private final Supplier<RulesSnapshot> rules;
  private final Limiter limiter;
  private final IntSupplier servers;
  private final Predicate<LimitKey> leased;
  private final Actions actions;

  /**
   * An edge on the active rules and the limiter.
   *
   * @param servers how many servers share the counters
   * @param leased whether this server holds a lease of a counter
   * @param actions of operators, which are named where they apply
   */
  public ExplainEdge(
      Supplier<RulesSnapshot> rules,
      Limiter limiter,
      IntSupplier servers,
      Predicate<LimitKey> leased,
      Actions actions) {
    this.rules = rules;
    this.limiter = limiter;
    this.servers = servers;
    this.leased = leased;
    this.actions = actions;
  }

  void handle(HttpServerRequest request, Buffer body) {
    RulesSnapshot live = rules.get();
    AdminQuery query = AdminQuery.parse(body);
    Replies.when(
        request, query.descriptor(live), descriptor -> explain(request, live, query, descriptor));
  }

  private void explain(
      HttpServerRequest request, RulesSnapshot live, AdminQuery query, Descriptor descriptor) {
    Match all = live.book().match(descriptor, HOLDER).withCost(query.cost());
    Match checked = live.book().match(descriptor, 0).withCost(query.cost());
    Replies.when(
        request,
        answered(limiter.peek(checked))
            .thenCombine(
                states(all),
                (decision, states) -> json(live, query, descriptor, states, checked, decision)),
        json -> Replies.json(request, 200, json));
  }

  /** The decision of the store, or nothing if it does not answer. */
  private static CompletionStage<Optional<Decision>> answered(Answer answer) {
    return answer
        .stage()
        .handle(
            (decision, failure) -> {
              if (failure == null) {
                return Optional.of(decision);
              }
              if (StoreFailure.cause(failure) instanceof StoreFailure) {
                return Optional.empty();
              }
              throw new CompletionException(StoreFailure.cause(failure));
            });
  }

  private record Counter(Rule rule, JsonObject json) {}

  /** How counters stand: those in force, and those of limits that are not. */
  private record States(List<Counter> counters, Map<String, JsonObject> candidates) {}

  private CompletionStage<States> states(Match match) {
    return counters(match).thenCombine(CandidateStates.of(match, limiter), States::new);
  }

  /** The state of each counter by itself. */
  private CompletionStage<List<Counter>> counters(Match match) {
    List<CompletionStage<Counter>> each = new ArrayList<>();
    for (Charge charge : match.charges()) {
      each.add(answered(limiter.peek(Match.of(charge))).thenApply(state -> counter(charge, state)));
    }
    for (Charge charge : match.shadows()) {
      each.add(
          answered(limiter.store().peek(List.of(charge.claim())))
              .thenApply(state -> counter(charge, state)));
    }
    CompletionStage<List<Counter>> all = CompletableFuture.completedFuture(new ArrayList<>());
    for (CompletionStage<Counter> one : each) {
      all =
          all.thenCombine(
              one,
              (list, counter) -> {
                list.add(counter);
                return list;
              });
    }
    return all;
  }

  private Counter counter(Charge charge, Optional<Decision> state) {
    Rule rule = charge.rule();
    Claim claim = charge.claim();
    JsonObject json =
        state
            .map(DecisionJson::numbers)
            .orElseGet(JsonObject::new)
            .put("limit", DecisionJson.limit(claim.limit()))
            .put("cost", claim.cost())
            .put("enforced", charge.enforced())
            .put("leased", leased.test(claim.key()));
    CounterNotes.of(rule, claim, servers.getAsInt()).ifPresent(note -> json.put("note", note));
    return new Counter(rule, json);
  }

  private JsonObject json(
      RulesSnapshot live,
      AdminQuery query,
      Descriptor descriptor,
      States states,
      Match checked,
      Optional<Decision> decision) {
    JsonArray list = new JsonArray();
    int notApplying = 0;
    for (Explanation one : live.book().explain(descriptor, HOLDER)) {
      if (one.applies() || ++notApplying <= MAX_NOT_APPLYING) {
        list.add(rule(one, states).put("actions", AppliedActions.to(one, live, actions)));
      }
    }
    JsonObject out = new JsonObject().put("version", live.version());
    if (query.request() != null) {
      out.put("request", request(descriptor));
    }
    List<String> unread = query.unread(live);
    if (!unread.isEmpty()) {
      out.put("unread", new JsonArray(unread));
    }
    out.put("rules", list).put("omitted", Math.max(0, notApplying - MAX_NOT_APPLYING));
    return decision.isPresent()
        ? out.put("decision", DecisionJson.of(checked, decision.get()))
        : out.put("error", DegradedDecision.denial(Replies.UNAVAILABLE, Effect.NONE));
  }

  private static JsonObject request(Descriptor descriptor) {
    return new JsonObject()
        .put("method", descriptor.value("method"))
        .put("path", descriptor.value("path"))
        .put(
            "otherReadings", new JsonArray(PathReadings.split(descriptor.value(PathReadings.NAME))))
        .put("host", descriptor.value("host"))
        .put("client", descriptor.value("ip exact"))
        .put("countedAs", descriptor.value("ip"));
  }

  private static JsonObject rule(Explanation one, States states) {
    JsonArray failed = new JsonArray();
    for (Explanation.Failed condition : one.failed()) {
      failed.add(
          new JsonObject()
              .put("value", condition.condition().name())
              .put("is", condition.value())
              .put("expected", condition.condition().expected()));
    }
    JsonArray caller = new JsonArray();
    JsonArray state = new JsonArray();
    if (one.applies()) {
      List<String> identity = one.caller().identity();
      for (int i = 0; i + 1 < identity.size(); i += 2) {
        String name = identity.get(i);
        String value = identity.get(i + 1);
        caller.add(
            name.isEmpty()
                ? new JsonObject().put("absent", value)
                : new JsonObject().put("name", name).put("value", value));
      }
      states.counters.stream()
          .filter(counter -> counter.rule().equals(one.rule()))
          .forEach(counter -> state.add(counter.json()));
    }
    JsonObject json = new JsonObject().put("rule", one.rule().name());
    Mode mode = one.rule().mode();
    json.put("mode", mode.kind().name().toLowerCase(Locale.ROOT));
    if (mode.kind() != Mode.Kind.STRICT) {
      json.put("share", Percent.of(mode.share()));
    }
    if (!one.caller().identity().isEmpty()) {
      json.put("callerHash", CallerHash.text(one.caller().hash()));
    }
    if (!mode.isLocal()) {
      json.put("whenStoreFails", DegradedDecision.label(one.rule().failureMode()));
    }
    JsonObject candidate = states.candidates.get(one.rule().name());
    if (candidate != null) {
      json.put("candidate", candidate);
    }
    return json.put("applies", one.applies())
        .put("failed", failed)
        .put("skipped", one.caller().skipped())
        .put("outsideRollout", one.caller().outside())
        .put("caller", caller)
        .put("blocked", one.applies() && one.match().blockedBy().isPresent())
        .put("counters", state);
  }
}
