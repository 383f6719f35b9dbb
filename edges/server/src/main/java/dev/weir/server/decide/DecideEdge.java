package dev.weir.server.decide;

import dev.weir.Answer;
import dev.weir.Decision;
import dev.weir.Descriptor;
import dev.weir.StoreFailure;
import dev.weir.StoreFailure.Effect;
import dev.weir.limiter.Degradation;
import dev.weir.limiter.Limiter;
import dev.weir.rule.FailureMode;
import dev.weir.rule.book.Match;
import dev.weir.rules.RulesSnapshot;
import dev.weir.server.access.AccessRefused;
import dev.weir.server.access.OperationsAccess;
import dev.weir.server.reply.DegradedCounters;
import dev.weir.server.reply.DegradedDecision;
import dev.weir.server.reply.Replies;
import dev.weir.server.shed.ActiveShedder;
import dev.weir.server.telemetry.Decided;
import dev.weir.server.telemetry.RequestObserver;
import dev.weir.server.wire.JsonBody;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.json.DecodeException;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Supplier;

/**
 * {@code POST /v1/decide}: the complete decision in JSON. Safe for use by any number of threads.
 *
 * <p>A body is one request, or {@code {"requests": […]}} of up to a hundred, which are decided in
 * order, independently of each other.
 */
public final class DecideEdge {
  /** The path of this edge. */
  public static final String PATH = "/v1/decide";

  static final int MAX_REQUESTS = 100;

  /** Where counters may be changed without a token. */
  private static final String ELSEWHERE =
      "on the administration port, or on one that demands client certificates";

  private final Supplier<RulesSnapshot> rules;
  private final Limiter limiter;
  private final DegradedCounters degraded;
  private final Permits permits;
  private final OperationsAccess access;
  private final ActiveShedder shedder;
  private final Shedding shedding;

  /**
   * An edge on the active rules and the limiter.
   *
   * @param degraded counts requests that are decided without the store
   * @param access decides which clients may refund and charge
   * @param shedder sheds requests whose callers report their load
   */
  public DecideEdge(
      Supplier<RulesSnapshot> rules,
      Limiter limiter,
      DegradedCounters degraded,
      Permits permits,
      OperationsAccess access,
      ActiveShedder shedder) {
    this.rules = rules;
    this.limiter = limiter;
    this.degraded = degraded;
    this.permits = permits;
    this.access = access;
    this.shedder = shedder;
    this.shedding = new Shedding(shedder);
  }

  /** A copy with other access. */
  public DecideEdge with(OperationsAccess other) {
    return new DecideEdge(rules, limiter, degraded, permits, other, shedder);
  }

  /**
   * Decides the requests of a body, and answers.
   *
   * @param seen notes what becomes of each
   * @throws IllegalArgumentException with the field, the value and what was expected
   */
  public void decide(HttpServerRequest http, Buffer body, RequestObserver seen) {
    JsonObject json = object(body);
    List<Object> requests =
        json.containsKey("requests") ? batch(json).stream().toList() : List.of(json);
    RulesSnapshot live = rules.get();
    // All of them are parsed before the first is charged: a malformed body costs nothing.
    List<Query> queries = requests.stream().map(one -> query(live, one, seen)).toList();
    try {
      queries.forEach(query -> checkAccess(http, query));
    } catch (AccessRefused e) {
      Replies.refused(http, e);
      return;
    }
    List<Query> admitted = queries.stream().map(this::shed).toList();
    List<Answer> answers = admitted.stream().map(this::answer).toList();
    if (json.containsKey("requests")) {
      replyToAll(http, admitted, answers);
    } else {
      replyTo(http, admitted.get(0), answers.get(0));
    }
  }

  private void checkAccess(HttpServerRequest http, Query query) {
    if (query.operation().isChange()) {
      access.check(http, "operation: " + query.operation().label(), ELSEWHERE);
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

  /** Parses a body that is a JSON object. */
  static JsonObject object(Buffer body) {
    try {
      if (JsonBody.decode(body) instanceof JsonObject object) {
        return object;
      }
    } catch (DecodeException e) {
      // Reported below, without repeating what was sent.
    }
    throw new IllegalArgumentException("body: not a JSON object (expected: {\"values\": {…}})");
  }

  /**
   * One request, and the charges of the rules that match it.
   *
   * @param unread the names of values that no rule reads
   * @param load reported by the caller, if it does
   * @param shed the reply, if the request is shed
   * @param seen notes what becomes of it
   */
  private record Query(
      DecideRequest.Operation operation,
      Match match,
      List<String> unread,
      Optional<Shedding.Candidate> load,
      Optional<JsonObject> shed,
      RequestObserver seen) {
    boolean isTake() {
      return operation == DecideRequest.Operation.TAKE;
    }

    /** Whether failure modes decide it while the store does not answer. */
    boolean hasFailureMode() {
      return isTake() || operation == DecideRequest.Operation.PEEK;
    }
  }

  private Query query(RulesSnapshot live, Object json, RequestObserver seen) {
    DecideRequest request = DecideRequest.parse(json);
    List<String> unread = request.unread(live);
    long holder = ThreadLocalRandom.current().nextLong(1, Long.MAX_VALUE);
    boolean holds = request.operation() == DecideRequest.Operation.TAKE;
    Descriptor values = request.descriptor(live.rules().http());
    Match match = live.book().match(values, holds ? holder : 0).withCost(request.cost());
    Optional<Shedding.Candidate> load = shedding.candidate(live, request, values);
    RequestObserver part =
        seen.part(
            request.operation().label(),
            request.values().get("method"),
            request.values().get("path"));
    return new Query(request.operation(), match, unread, load, Optional.empty(), part);
  }

  /** The query without charges and with its reply, if it is shed. */
  private Query shed(Query query) {
    return query
        .load()
        .flatMap(shedding::decide)
        .map(
            shed ->
                new Query(
                    query.operation(),
                    Match.NONE,
                    List.of(),
                    query.load(),
                    Optional.of(shed),
                    query.seen()))
        .orElse(query);
  }

  private Answer answer(Query query) {
    return switch (query.operation()) {
      case TAKE -> limiter.take(query.match());
      case PEEK -> limiter.peek(query.match());
      case REFUND -> limiter.refund(query.match());
      case CHARGE -> limiter.charge(query.match());
    };
  }

  private void replyTo(HttpServerRequest http, Query query, Answer answer) {
    Replies.when(
        http,
        answer.stage(),
        decision -> Replies.json(http, 200, reply(query, decision)),
        failure -> {
          if (query.hasFailureMode()) {
            DegradedDecision.mark(http.response(), FailureMode.DENY);
          }
          Replies.unavailable(http, refusal(query, failure));
        });
  }

  private JsonObject reply(Query query, Decision decision) {
    if (query.shed().isPresent()) {
      query.seen().onDecided(Decided.SHED_REQUEST);
      return query.shed().get();
    }
    query.seen().onDecision(query.match(), decision);
    if (query.isTake()) {
      Degradation.failureMode(decision).ifPresent(degraded::add);
    }
    JsonObject json = DecisionJson.of(query.match(), decision);
    query.load().ifPresent(load -> json.put("priority", load.priority()));
    if (decision.allowed()) {
      permits.of(query.match().claims(), decision).ifPresent(permit -> json.put("permit", permit));
    }
    return query.unread().isEmpty() ? json : json.put("unread", new JsonArray(query.unread()));
  }

  /** The error without a decision: a rule denies uncounted requests, or counters are unknown. */
  private JsonObject refusal(Query query, StoreFailure failure) {
    query.seen().onUnanswered(query.match());
    if (!query.hasFailureMode()) {
      return Replies.unavailable(Replies.UNAVAILABLE, failure.effect());
    }
    if (!query.isTake()) {
      return DegradedDecision.denial(Replies.UNAVAILABLE, Effect.NONE);
    }
    degraded.add(FailureMode.DENY);
    return DegradedDecision.denial(Replies.UNAVAILABLE, failure.effect());
  }

  /** Each request gets its own answer, also where another one failed. */
  private void replyToAll(HttpServerRequest http, List<Query> queries, List<Answer> answers) {
    List<CompletableFuture<JsonObject>> all = new ArrayList<>();
    for (int i = 0; i < queries.size(); i++) {
      Query query = queries.get(i);
      all.add(
          answers
              .get(i)
              .stage()
              .thenApply(decision -> reply(query, decision))
              .exceptionally(failure -> failed(query, failure))
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

  private JsonObject failed(Query query, Throwable failure) {
    if (StoreFailure.cause(failure) instanceof StoreFailure known) {
      return new JsonObject().put("error", refusal(query, known));
    }
    throw new CompletionException(StoreFailure.cause(failure));
  }
}
