package dev.weir.server;

import dev.weir.yaml.RulesInForce;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/**
 * {@code /readyz}: may traffic come?
 *
 * <p>It may with the rules in force, even where newer ones are refused, and while the store does
 * not answer, since the rules say what then; were all servers to leave at once, nobody would ask
 * them. But it says so. It may not before all rules have been given for the first time.
 */
final class Readiness {
  private final BooleanSupplier ready;
  private final Drain drain;
  private final HealthStatus health;
  private final RulesInForce rules;
  private final StoreInUse store;
  private final Optional<SharedStore> elsewhere;

  Readiness(
      BooleanSupplier ready,
      Drain drain,
      HealthStatus health,
      RulesInForce rules,
      StoreInUse store,
      Optional<SharedStore> elsewhere) {
    this.ready = ready;
    this.drain = drain;
    this.health = health;
    this.rules = rules;
    this.store = store;
    this.elsewhere = elsewhere;
  }

  /** {@code /healthcheck}: for those who moved here with a probe of Envoy's service. */
  void tellInAWord(HttpServerRequest request) {
    boolean now = health.isHealthy();
    var unused =
        request
            .response()
            .setStatusCode(now ? 200 : 500)
            .putHeader("Content-Type", "text/plain; charset=utf-8")
            .end(now ? "OK" : "");
  }

  /** To anybody: no more than a word for each part, and nothing of files, rules or machines. */
  void tell(HttpServerRequest request) {
    boolean now = ready.getAsBoolean();
    boolean answers = elsewhere.map(SharedStore::isAnswering).orElse(true);
    JsonObject body =
        new JsonObject()
            .put("ready", now)
            .put("state", state(now))
            .put("rules", rules.isLoaded() ? "loaded" : "missing")
            .put("store", answers ? "answering" : "not-answering");
    Replies.json(request, now ? 200 : 503, body);
  }

  private String state(boolean now) {
    if (drain.hasBegun()) {
      return "draining";
    }
    return now ? "ready" : rules.isLoaded() ? "warming-up" : "waiting-for-rules";
  }

  /** To operators, on their port: what is wrong, too. */
  void tellOperators(HttpServerRequest request) {
    boolean now = ready.getAsBoolean();
    RulesInForce.Status status = rules.status();
    List<String> problems = new ArrayList<>(status.notes());
    problems.addAll(store.problems().get());
    elsewhere.map(SharedStore::problems).ifPresent(problems::addAll);
    if (!rules.isLoaded()) {
      problems.add("no rate limit configuration loaded");
    }
    Instant draining = drain.since();
    if (!now && draining == null && rules.isLoaded()) {
      problems.add("warming up");
    }
    if (draining != null) {
      problems.add(0, "draining since " + draining + ": about to stop");
    }
    JsonObject body =
        new JsonObject()
            .put("ready", now)
            .put("rules", status.version())
            .put("problems", new JsonArray(problems))
            .put("store", store());
    if (draining != null) {
      body.put("draining", draining.toString());
    }
    Replies.json(request, now ? 200 : 503, body);
  }

  private JsonObject store() {
    JsonObject told = new JsonObject().put("kind", store.kind()).put("answers", true);
    elsewhere.ifPresent(one -> told.mergeIn(one.status()));
    return told;
  }
}
