package dev.weir.server.admin;

import dev.weir.StoreFailure;
import dev.weir.StoreFailure.Effect;
import dev.weir.key.KeySpace;
import dev.weir.rules.RulesSnapshot;
import dev.weir.rules.action.AdjustedRules;
import dev.weir.rules.action.Adjustment;
import dev.weir.rules.domain.Entry;
import dev.weir.rules.yaml.Spelling;
import dev.weir.server.access.Operator;
import dev.weir.server.action.Action;
import dev.weir.server.action.Action.Stamp;
import dev.weir.server.action.ActionJson;
import dev.weir.server.action.ActionRequest;
import dev.weir.server.action.Actions;
import dev.weir.server.action.CallerHash;
import dev.weir.server.decide.DecideRequest;
import dev.weir.server.reply.AuditedActions;
import dev.weir.server.reply.Replies;
import dev.weir.shared.fleet.FleetTable;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.security.SecureRandom;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

/**
 * {@code /actions}: what operators do to rules and callers for a while. Safe for use by any number
 * of threads.
 */
public final class ActionsEdge {
  private static final String PATH = "/actions";

  private final Supplier<RulesSnapshot> rules;
  private final KeySpace keys;
  private final Actions actions;
  private final AuditedActions audited;
  private final InstantSource clock;
  private final SecureRandom random = new SecureRandom();

  /**
   * An edge on the active rules.
   *
   * @param keys hashes the identities of callers
   * @param clock for the times that others see; actions end by the clock of the store
   */
  public ActionsEdge(
      Supplier<RulesSnapshot> rules,
      KeySpace keys,
      Actions actions,
      AuditedActions audited,
      InstantSource clock) {
    this.rules = rules;
    this.keys = keys;
    this.actions = actions;
    this.audited = audited;
    this.clock = clock;
  }

  /** Whether a path is one of this edge. */
  static boolean isAbout(String path) {
    return path.equals(PATH) || path.startsWith(PATH + "/");
  }

  void list(HttpServerRequest request) {
    JsonArray list = new JsonArray();
    actions.list().forEach(one -> list.add(ActionJson.of(one)));
    JsonObject json = new JsonObject().put("actions", list).put("max", FleetTable.MAX_ENTRIES);
    Replies.json(request, 200, json);
  }

  void take(HttpServerRequest request, Operator who, Buffer body) {
    String expected = "a JSON object such as {\"action\": \"shadow\", …}";
    if (!(AdminQuery.json(body, expected) instanceof JsonObject json)) {
      throw DecideRequest.refused("body", "not an object", expected);
    }
    JsonObject described = new JsonObject();
    for (String field : List.of("values", "request")) {
      if (json.containsKey(field)) {
        described.put(field, json.remove(field));
      }
    }
    Instant now = clock.instant();
    ActionRequest wanted = ActionRequest.parse(json, now);
    checkCaller(wanted, described);
    RulesSnapshot live = rules.get();
    wanted.rule().ifPresent(rule -> checkRule(live, rule));
    Replies.when(
        request,
        caller(live, wanted, described),
        found -> {
          if (found.problem().isPresent()) {
            Replies.error(request, 400, found.problem().get());
          } else {
            take(request, who, wanted, found.hash(), now);
          }
        });
  }

  /** The hash of the caller, if the action is about one; or why none is identified. */
  private record Caller(OptionalLong hash, Optional<String> problem) {}

  /** A caller is given in one way where there is to be one. */
  private void checkCaller(ActionRequest wanted, JsonObject described) {
    boolean given = wanted.caller().isPresent() || !described.isEmpty();
    boolean twice = wanted.caller().isPresent() && !described.isEmpty();
    if (wanted.kind().isAboutCaller() != given || twice) {
      String expected =
          wanted.kind().isAboutCaller() ? "one of caller, values, request" : "none of them";
      String shown = twice ? "both ways" : given ? "a caller" : "nothing";
      throw DecideRequest.refused("caller, values, request", shown, expected);
    }
    if (wanted.caller().isPresent() && wanted.caller().getAsLong() == keys.owner().hash()) {
      String all = CallerHash.text(keys.owner().hash()) + ", all callers together";
      throw DecideRequest.refused("caller", all, "a single caller");
    }
  }

  private static void checkRule(RulesSnapshot live, String rule) {
    Set<String> known = AdjustedRules.names(live.book(), live.rules().domains());
    if (!known.contains(rule)) {
      throw DecideRequest.refused("rule", rule, Spelling.expected(rule, known));
    }
  }

  private CompletionStage<Caller> caller(
      RulesSnapshot live, ActionRequest wanted, JsonObject described) {
    if (described.isEmpty()) {
      return CompletableFuture.completedStage(new Caller(wanted.caller(), Optional.empty()));
    }
    List<Entry> entries = CallerQuery.entries(described.getValue("values"));
    CallerQuery query = new CallerQuery(live, keys, wanted.rule(), entries);
    return AdminQuery.of(described)
        .descriptor(live)
        .thenApply(
            descriptor -> {
              try {
                return new Caller(OptionalLong.of(query.caller(descriptor)), Optional.empty());
              } catch (IllegalArgumentException e) {
                return new Caller(OptionalLong.empty(), Optional.ofNullable(e.getMessage()));
              }
            });
  }

  private void take(
      HttpServerRequest request,
      Operator who,
      ActionRequest wanted,
      OptionalLong caller,
      Instant now) {
    Adjustment adjustment =
        wanted.adjustment(String.format("%012x", random.nextLong() >>> 16), caller);
    Action action =
        new Action(
            adjustment,
            wanted.why(),
            Stamp.of(who, now),
            now.plus(wanted.lasting()),
            Optional.empty());
    Replies.when(
        request,
        actions.objection(adjustment),
        objection -> {
          if (objection.isPresent()) {
            String factor = adjustment.factor().map(one -> "factor: " + one + ": ").orElse("");
            Replies.error(request, 400, factor + objection.get());
          } else {
            perform(request, who, "action", action, () -> actions.take(action, wanted.lasting()));
          }
        });
  }

  void undo(HttpServerRequest request, Operator who) {
    String id = request.path().substring(PATH.length() + 1);
    JsonObject details = new JsonObject().put("id", DecideRequest.shown(id));
    actions.find(id).ifPresent(known -> details.mergeIn(ActionJson.of(known.action())));
    audited.perform(
        request,
        who,
        "action-undo",
        details,
        () -> actions.undo(id, Stamp.of(who, clock.instant())),
        undone -> {
          if (undone.isPresent()) {
            Replies.json(request, 200, ActionJson.of(undone.get()));
          } else {
            String expected = "the id of an action in force; GET /actions lists them";
            Replies.error(
                request, 404, "id: " + DecideRequest.shown(id) + " (expected: " + expected + ")");
          }
        },
        failure -> unavailable(request, failure));
  }

  private void perform(
      HttpServerRequest request,
      Operator who,
      String event,
      Action action,
      Supplier<CompletionStage<Optional<Action>>> take) {
    audited.perform(
        request,
        who,
        event,
        ActionJson.of(action),
        take,
        taken -> {
          if (taken.isPresent()) {
            request.response().putHeader("Location", PATH + "/" + action.id());
            Replies.json(
                request,
                201,
                actions
                    .find(action.id())
                    .map(ActionJson::of)
                    .orElseGet(() -> ActionJson.of(action)));
          } else {
            String expected =
                "at most " + FleetTable.MAX_ENTRIES + "; undo one, or wait until it ends";
            Replies.error(request, 409, "actions: too many (expected: " + expected + ")");
          }
        },
        failure -> unavailable(request, failure));
  }

  /** No action is taken by one server alone: the others would not know of it. */
  private static void unavailable(HttpServerRequest request, StoreFailure failure) {
    JsonObject problem = Replies.unavailable(Replies.UNAVAILABLE, failure.effect());
    String outcome =
        failure.effect() == Effect.NONE
            ? "nothing has changed"
            : "whether anything has changed is unknown, GET /actions will show it";
    problem.put("detail", "the store does not answer, by which servers share actions; " + outcome);
    Replies.unavailable(request, problem);
  }
}
