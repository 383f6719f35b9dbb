package dev.weir.server;

import dev.weir.Answer;
import dev.weir.Claim;
import dev.weir.Decision;
import dev.weir.Limit;
import dev.weir.StoreFailure;
import dev.weir.StoreFailure.Effect;
import dev.weir.http.DenialBody;
import dev.weir.rule.Limiter;
import dev.weir.rule.Match;
import dev.weir.rule.Rule;
import dev.weir.rule.Rule.WhenStoreFails;
import dev.weir.server.access.AccessRefused;
import dev.weir.server.access.OperationsAccess;
import dev.weir.server.stats.Ways;
import dev.weir.server.wire.JsonBody;
import dev.weir.yaml.LiveRules;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.json.DecodeException;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Supplier;

/**
 * {@code POST /v1/decide}: the whole decision, for callers that speak JSON.
 *
 * <p>A body is one request, or {@code {"requests": […]}} of up to a hundred, which are decided in
 * order, each by itself.
 */
final class DecideEdge {
  static final String PATH = "/v1/decide";
  static final int MAX_REQUESTS = 100;

  /** Where counters are changed without a token. */
  private static final String ELSEWHERE =
      "on the administration port, or on one that demands client certificates";

  private final Supplier<LiveRules> rules;
  private final Limiter limiter;
  private final Ways ways;
  private final Permits permits;
  private final OperationsAccess access;

  /**
   * @param access who may refund and settle
   */
  DecideEdge(
      Supplier<LiveRules> rules,
      Limiter limiter,
      Ways ways,
      Permits permits,
      OperationsAccess access) {
    this.rules = rules;
    this.limiter = limiter;
    this.ways = ways;
    this.permits = permits;
    this.access = access;
  }

  /** The same for others. */
  DecideEdge with(OperationsAccess other) {
    return new DecideEdge(rules, limiter, ways, permits, other);
  }

  void decide(HttpServerRequest http, Buffer body) {
    JsonObject json = object(body);
    List<Object> told =
        json.containsKey("requests") ? batch(json).stream().toList() : List.of(json);
    LiveRules live = rules.get();
    // All of them are read before the first is charged: what makes no sense costs nothing.
    List<Asked> asked = told.stream().map(one -> asked(live, one)).toList();
    try {
      asked.forEach(one -> checkAccess(http, one));
    } catch (AccessRefused e) {
      Replies.refused(http, e);
      return;
    }
    List<Answer> answers = asked.stream().map(this::answer).toList();
    if (json.containsKey("requests")) {
      replyToAll(http, asked, answers);
    } else {
      replyTo(http, asked.get(0), answers.get(0));
    }
  }

  private void checkAccess(HttpServerRequest http, Asked asked) {
    if (asked.operation().isChange()) {
      access.check(http, "operation: " + asked.operation().word(), ELSEWHERE);
    }
  }

  private static JsonArray batch(JsonObject json) {
    Object requests = json.getValue("requests");
    if (!(requests instanceof JsonArray array) || json.size() != 1) {
      throw DecideRequest.refused("requests", requests, "a list, and nothing beside it");
    }
    if (array.isEmpty() || array.size() > MAX_REQUESTS) {
      throw DecideRequest.refused("requests", array.size(), "between 1 and " + MAX_REQUESTS);
    }
    return array;
  }

  /** The object that a body is. */
  static JsonObject object(Buffer body) {
    try {
      if (JsonBody.decode(body) instanceof JsonObject object) {
        return object;
      }
    } catch (DecodeException e) {
      // Told below; what was sent is not repeated.
    }
    throw new IllegalArgumentException("body: not a JSON object (expected: {\"values\": {…}})");
  }

  /**
   * A question, and what the rules make of it.
   *
   * @param unread the names of values that no rule reads
   */
  private record Asked(DecideRequest.Operation operation, Match match, List<String> unread) {
    boolean isTake() {
      return operation == DecideRequest.Operation.TAKE;
    }

    /** Whether rules say what becomes of it while the store does not answer. */
    boolean isForRules() {
      return isTake() || operation == DecideRequest.Operation.PEEK;
    }
  }

  private static Asked asked(LiveRules live, Object json) {
    DecideRequest request = DecideRequest.parse(json);
    List<String> unread = request.unread(live);
    long permit = ThreadLocalRandom.current().nextLong(1, Long.MAX_VALUE);
    boolean holds = request.operation() == DecideRequest.Operation.TAKE;
    Match match =
        live.book()
            .match(request.descriptor(live.rules().http()), holds ? permit : 0)
            .costing(request.cost());
    return new Asked(request.operation(), match, unread);
  }

  private Answer answer(Asked asked) {
    return switch (asked.operation()) {
      case TAKE -> limiter.take(asked.match());
      case PEEK -> limiter.look(asked.match());
      case REFUND -> limiter.refund(asked.match());
      case SETTLE -> limiter.charge(asked.match());
    };
  }

  private void replyTo(HttpServerRequest http, Asked asked, Answer answer) {
    Replies.when(
        http,
        answer.stage(),
        decision -> Replies.json(http, 200, told(asked, decision)),
        failure -> {
          if (asked.isForRules()) {
            Degraded.mark(http.response(), WhenStoreFails.DENY);
          }
          Replies.unavailable(http, refusal(asked, failure));
        });
  }

  private JsonObject told(Asked asked, Decision decision) {
    if (asked.isTake()) {
      Degraded.way(decision).ifPresent(ways::add);
    }
    JsonObject json = json(asked.match(), decision);
    if (decision.allowed()) {
      permits.of(asked.match().claims(), decision).ifPresent(permit -> json.put("permit", permit));
    }
    return asked.unread().isEmpty() ? json : json.put("unread", new JsonArray(asked.unread()));
  }

  /** There is no decision: a rule denies what it cannot count, or nobody knows the counters. */
  private JsonObject refusal(Asked asked, StoreFailure failure) {
    if (!asked.isForRules()) {
      return Replies.unavailable(Replies.UNAVAILABLE, failure.effect());
    }
    if (!asked.isTake()) {
      return Degraded.denial(Replies.UNAVAILABLE, Effect.NONE);
    }
    ways.add(WhenStoreFails.DENY);
    return Degraded.denial(Replies.UNAVAILABLE, failure.effect());
  }

  /** Each gets its own answer, also where that of another one failed to come. */
  private void replyToAll(HttpServerRequest http, List<Asked> asked, List<Answer> answers) {
    List<CompletableFuture<JsonObject>> all = new ArrayList<>();
    for (int i = 0; i < asked.size(); i++) {
      Asked one = asked.get(i);
      all.add(
          answers
              .get(i)
              .stage()
              .thenApply(decision -> told(one, decision))
              .exceptionally(failure -> failed(one, failure))
              .toCompletableFuture());
    }
    Replies.when(
        http,
        CompletableFuture.allOf(all.toArray(CompletableFuture[]::new)),
        done -> {
          JsonArray decisions = new JsonArray();
          all.forEach(one -> decisions.add(one.join()));
          Replies.json(http, 200, new JsonObject().put("decisions", decisions));
        });
  }

  private JsonObject failed(Asked asked, Throwable failure) {
    if (StoreFailure.cause(failure) instanceof StoreFailure known) {
      return new JsonObject().put("error", refusal(asked, known));
    }
    throw new CompletionException(StoreFailure.cause(failure));
  }

  static JsonObject json(Match match, Decision decision) {
    JsonObject out =
        standing(decision).put("rule", match.decisiveRule(decision).map(Rule::name).orElse(null));
    JsonArray each = new JsonArray();
    for (int i = 0; i < match.claims().size() && i < decision.each().size(); i++) {
      Claim claim = match.claims().get(i);
      each.add(
          standing(decision.each().get(i))
              .put("rule", match.rules().get(i).name())
              .put("policy", match.policies().get(i).name())
              .put("limit", limit(claim.limit()))
              .put("cost", claim.cost()));
    }
    out.put("claims", each);
    if (!decision.allowed()) {
      out.put("status", DenialBody.status(match));
    }
    return out;
  }

  static JsonObject limit(Limit limit) {
    JsonObject out =
        new JsonObject()
            .put("algorithm", word(limit.algorithm().name()))
            .put("permits", limit.permits())
            .put("capacity", limit.capacity())
            .put("windowMillis", limit.windowMicros() / 1_000);
    limit.calendar().ifPresent(window -> out.put("calendar", window.toString()));
    return out;
  }

  /** The verdict and the numbers of one decision. */
  static JsonObject standing(Decision decision) {
    JsonObject out =
        new JsonObject()
            .put("allowed", decision.allowed())
            .put("verdict", word(decision.verdict().name()))
            .put("remaining", decision.remaining())
            .put("resetAfterMillis", ceilMillis(decision.resetAfter()))
            .put("delayMillis", ceilMillis(decision.delay()));
    Degraded.way(decision).ifPresent(way -> out.put("degraded", Degraded.word(way)));
    decision.retryAfter().ifPresent(wait -> out.put("retryAfterMillis", ceilMillis(wait)));
    if (decision.debt() > 0) {
      out.put("debt", decision.debt());
    }
    return out;
  }

  private static long ceilMillis(java.time.Duration duration) {
    return duration.plusNanos(999_999).toMillis();
  }

  private static String word(String constant) {
    return constant.toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
