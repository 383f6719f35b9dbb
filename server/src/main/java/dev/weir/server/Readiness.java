package dev.weir.server;

import dev.weir.yaml.RulesInForce;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
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
  private final RulesInForce rules;
  private final StoreInUse store;
  private final Optional<SharedStore> elsewhere;

  Readiness(
      BooleanSupplier ready,
      RulesInForce rules,
      StoreInUse store,
      Optional<SharedStore> elsewhere) {
    this.ready = ready;
    this.rules = rules;
    this.store = store;
    this.elsewhere = elsewhere;
  }

  /** {@code /healthcheck}: the same for those who moved here with a probe of Envoy's service. */
  void tellInAWord(HttpServerRequest request) {
    boolean now = ready.getAsBoolean();
    var unused =
        request
            .response()
            .setStatusCode(now ? 200 : 500)
            .putHeader("Content-Type", "text/plain; charset=utf-8")
            .end(now ? "OK" : "");
  }

  void tell(HttpServerRequest request) {
    boolean now = ready.getAsBoolean();
    RulesInForce.Status status = rules.status();
    List<String> problems = new ArrayList<>(status.problems());
    problems.addAll(store.problems().get());
    elsewhere.map(SharedStore::problems).ifPresent(problems::addAll);
    if (!rules.isLoaded()) {
      problems.add("no rate limit configuration loaded");
    }
    JsonObject body =
        new JsonObject()
            .put("ready", now)
            .put("rules", status.version())
            .put("problems", new JsonArray(problems))
            .put("store", store());
    Replies.json(request, now ? 200 : 503, body);
  }

  private JsonObject store() {
    JsonObject told = new JsonObject().put("kind", store.kind()).put("answers", true);
    elsewhere.ifPresent(
        one ->
            told.put("answers", one.isAnswering())
                .put("breaker", one.breaker())
                .put("servers", one.servers())
                .put("owing", one.standby().owing()));
    return told;
  }
}
