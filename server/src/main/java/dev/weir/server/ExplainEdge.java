package dev.weir.server;

import dev.weir.Answer;
import dev.weir.Claim;
import dev.weir.Decision;
import dev.weir.Descriptor;
import dev.weir.LimitKey;
import dev.weir.Mode;
import dev.weir.StoreFailure;
import dev.weir.StoreFailure.Effect;
import dev.weir.rule.Explanation;
import dev.weir.rule.Limiter;
import dev.weir.rule.Match;
import dev.weir.rule.PathReadings;
import dev.weir.rule.Percent;
import dev.weir.rule.Rule;
import dev.weir.yaml.LiveRules;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.function.IntSupplier;
import java.util.function.Predicate;
import java.util.function.Supplier;

/** {@code POST /explain}: what the rules make of a request, and how its counters stand. */
final class ExplainEdge {
  /** Of rules that do not apply, no more are told: there may be a hundred thousand. */
  static final int MAX_NOT_APPLYING = 1_000;

  /** Any but 0, and nobody's: with it the limits on what is in flight are looked at too. */
  private static final long PERMIT = 1;

  private final Supplier<LiveRules> rules;
  private final Limiter limiter;
  private final IntSupplier servers;
  private final Predicate<LimitKey> leased;

  /**
   * @param servers how many share the counters
   * @param leased whether this server holds permits of a counter in advance
   */
  ExplainEdge(
      Supplier<LiveRules> rules, Limiter limiter, IntSupplier servers, Predicate<LimitKey> leased) {
    this.rules = rules;
    this.limiter = limiter;
    this.servers = servers;
    this.leased = leased;
  }

  void handle(HttpServerRequest request, Buffer body) {
    LiveRules live = rules.get();
    Question question = Question.parse(body);
    Replies.when(
        request,
        question.descriptor(live),
        descriptor -> explain(request, live, question, descriptor));
  }

  private void explain(
      HttpServerRequest request, LiveRules live, Question question, Descriptor descriptor) {
    Match all = live.book().match(descriptor, PERMIT).costing(question.cost());
    Match checked = live.book().match(descriptor, 0).costing(question.cost());
    Replies.when(
        request,
        looked(limiter.look(checked))
            .thenCombine(
                counters(all),
                (decision, counters) ->
                    told(live, question, descriptor, counters, checked, decision)),
        json -> Replies.json(request, 200, json));
  }

  /** What the store says, or nothing if it does not answer. */
  private static CompletionStage<Optional<Decision>> looked(Answer answer) {
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

  /** How each counter stands by itself. */
  private CompletionStage<List<Counter>> counters(Match match) {
    List<CompletionStage<Counter>> each = new ArrayList<>();
    for (int i = 0; i < match.claims().size(); i++) {
      Rule rule = match.rules().get(i);
      Claim claim = match.claims().get(i);
      each.add(
          looked(limiter.look(match.only(i)))
              .thenApply(standing -> counter(rule, claim, standing, true)));
    }
    for (int i = 0; i < match.shadows().size(); i++) {
      Rule rule = match.shadowRules().get(i);
      Claim claim = match.shadows().get(i);
      each.add(
          looked(limiter.store().look(List.of(claim)))
              .thenApply(standing -> counter(rule, claim, standing, false)));
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

  private Counter counter(Rule rule, Claim claim, Optional<Decision> standing, boolean enforced) {
    JsonObject json =
        standing
            .map(DecideEdge::standing)
            .orElseGet(JsonObject::new)
            .put("limit", DecideEdge.limit(claim.limit()))
            .put("cost", claim.cost())
            .put("enforced", enforced)
            .put("leased", leased.test(claim.key()));
    CounterNotes.of(rule, claim, servers.getAsInt()).ifPresent(note -> json.put("note", note));
    return new Counter(rule, json);
  }

  private static JsonObject told(
      LiveRules live,
      Question question,
      Descriptor descriptor,
      List<Counter> counters,
      Match checked,
      Optional<Decision> decision) {
    JsonArray list = new JsonArray();
    int notApplying = 0;
    for (Explanation one : live.book().explain(descriptor, PERMIT)) {
      if (one.applies() || ++notApplying <= MAX_NOT_APPLYING) {
        list.add(rule(one, counters));
      }
    }
    JsonObject out = new JsonObject().put("version", live.version());
    if (question.request() != null) {
      out.put("request", request(descriptor));
    }
    List<String> unread = question.unread(live);
    if (!unread.isEmpty()) {
      out.put("unread", new JsonArray(unread));
    }
    out.put("rules", list).put("omitted", Math.max(0, notApplying - MAX_NOT_APPLYING));
    return decision.isPresent()
        ? out.put("decision", DecideEdge.json(checked, decision.get()))
        : out.put("error", Degraded.denial(Replies.UNAVAILABLE, Effect.NONE));
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

  private static JsonObject rule(Explanation one, List<Counter> counters) {
    JsonArray failed = new JsonArray();
    for (Explanation.Failed condition : one.failed()) {
      failed.add(
          new JsonObject()
              .put("value", condition.condition().name())
              .put("is", condition.value())
              .put("expected", condition.condition().expected()));
    }
    JsonArray caller = new JsonArray();
    JsonArray standing = new JsonArray();
    if (one.applies()) {
      for (int i = 0; i + 1 < one.caller().size(); i += 2) {
        String name = one.caller().get(i);
        String value = one.caller().get(i + 1);
        caller.add(
            name.isEmpty()
                ? new JsonObject().put("absent", value)
                : new JsonObject().put("name", name).put("value", value));
      }
      counters.stream()
          .filter(counter -> counter.rule().equals(one.rule()))
          .forEach(counter -> standing.add(counter.json()));
    }
    JsonObject told = new JsonObject().put("rule", one.rule().name());
    Mode mode = one.rule().mode();
    told.put("mode", mode.kind().name().toLowerCase(Locale.ROOT));
    if (mode.kind() != Mode.Kind.STRICT) {
      told.put("share", Percent.of(mode.share()));
    }
    if (!mode.isLocal()) {
      told.put("whenStoreFails", Degraded.word(one.rule().whenStoreFails()));
    }
    return told.put("applies", one.applies())
        .put("failed", failed)
        .put("skipped", one.skipped())
        .put("outsideRollout", one.outside())
        .put("caller", caller)
        .put("blocked", one.applies() && one.match().blockedBy().isPresent())
        .put("counters", standing);
  }
}
