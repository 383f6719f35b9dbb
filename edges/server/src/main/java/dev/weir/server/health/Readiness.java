package dev.weir.server.health;

import dev.weir.rules.ActiveRules;
import dev.weir.server.listen.Drain;
import dev.weir.server.reply.Replies;
import dev.weir.server.store.StoreConfig;
import dev.weir.server.store.StoreMonitor;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/**
 * Answers {@code /readyz} and {@code /healthcheck}: whether the server may get traffic.
 * Thread-safe.
 *
 * <p>The server stays ready with the active rules when newer ones are rejected, and while the store
 * does not answer: rules define what happens then, and if all servers became unready at once, no
 * request would be decided at all. The response reports both. The server is not ready before all
 * rules are loaded for the first time.
 */
public final class Readiness {
  private final BooleanSupplier ready;
  private final Drain drain;
  private final HealthStatus health;
  private final ActiveRules rules;
  private final StoreConfig store;
  private final Optional<StoreMonitor> remote;

  /**
   * Combines what readiness depends on.
   *
   * @param ready whether the server takes traffic
   * @param remote the remote store; empty if counters are in this process
   */
  public Readiness(
      BooleanSupplier ready,
      Drain drain,
      HealthStatus health,
      ActiveRules rules,
      StoreConfig store,
      Optional<StoreMonitor> remote) {
    this.ready = ready;
    this.drain = drain;
    this.health = health;
    this.rules = rules;
    this.store = store;
    this.remote = remote;
  }

  /** Answers {@code /healthcheck} like envoyproxy/ratelimit, for probes made for it. */
  public void serveEnvoyHealthcheck(HttpServerRequest request) {
    boolean now = health.isHealthy();
    var unused =
        request
            .response()
            .setStatusCode(now ? 200 : 500)
            .putHeader("Content-Type", "text/plain; charset=utf-8")
            .end(now ? "OK" : "");
  }

  /** Answers any client: one word for each part, and nothing about files, rules or hosts. */
  public void serveStatus(HttpServerRequest request) {
    boolean now = ready.getAsBoolean();
    boolean answers = remote.map(StoreMonitor::isAnswering).orElse(true);
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

  /** Answers operators on their port, with the current problems. */
  public void serveDetails(HttpServerRequest request) {
    JsonObject details = details();
    Replies.json(request, details.getBoolean("ready") ? 200 : 503, details);
  }

  /** What operators should know: whether the server is ready, and the current problems. */
  public JsonObject details() {
    boolean now = ready.getAsBoolean();
    ActiveRules.Status status = rules.status();
    List<String> problems = new ArrayList<>(status.notes());
    problems.addAll(store.problems().get());
    remote.map(StoreMonitor::problems).ifPresent(problems::addAll);
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
    return body;
  }

  private JsonObject store() {
    JsonObject body = new JsonObject().put("kind", store.kind()).put("answers", true);
    remote.ifPresent(shared -> body.mergeIn(shared.status()));
    return body;
  }
}
