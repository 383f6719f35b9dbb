package dev.weir.server.decide;

import dev.weir.Descriptor;
import dev.weir.rules.RulesSnapshot;
import dev.weir.server.shed.ActiveShedder;
import dev.weir.server.shed.LoadShedder;
import dev.weir.server.shed.Verdict;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * Sheds requests whose callers report their load. Safe for use by any number of threads.
 *
 * <p>It decides only once all requests of a body are known to be valid, so a malformed one changes
 * nothing.
 */
final class Shedding {
  private static final int UNAVAILABLE = 503;

  private final ActiveShedder active;

  Shedding(ActiveShedder active) {
    this.active = active;
  }

  /** A request with a reported load, before the verdict. */
  record Candidate(LoadShedder shedder, ReportedLoad load, int priority) {}

  /**
   * Checks that a request may report its load, and finds its priority.
   *
   * @return empty if it reports none
   * @throws IllegalArgumentException if the rules shed nothing, or the operation is no take
   */
  Optional<Candidate> candidate(RulesSnapshot live, DecideRequest request, Descriptor values) {
    if (request.load().isEmpty()) {
      return Optional.empty();
    }
    if (request.operation() != DecideRequest.Operation.TAKE) {
      throw DecideRequest.refused(
          "load", "beside " + request.operation().label(), "only with take");
    }
    LoadShedder shedder =
        active
            .of(live)
            .orElseThrow(
                () ->
                    DecideRequest.refused(
                        "load", "given", "a rules file with shedding, which these rules have not"));
    int priority = live.priorities().priority(values);
    return Optional.of(new Candidate(shedder, request.load().get(), priority));
  }

  /** The reply to a request that is shed; empty if it goes on. */
  Optional<JsonObject> decide(Candidate candidate) {
    long now = active.nanos();
    ReportedLoad load = candidate.load();
    load.queueDelayMillis()
        .ifPresent(
            millis -> candidate.shedder().onQueueDelay(TimeUnit.MILLISECONDS.toNanos(millis), now));
    Verdict verdict = candidate.shedder().admit(candidate.priority(), load.inFlight(), now);
    return verdict instanceof Verdict.Shed shed
        ? Optional.of(json(shed, candidate.priority()))
        : Optional.empty();
  }

  private static JsonObject json(Verdict.Shed shed, int priority) {
    return new JsonObject()
        .put("allowed", false)
        .put("verdict", "shed")
        .put("status", UNAVAILABLE)
        .put("priority", priority)
        .put("reason", shed.reason().label())
        .put("retryAfterMillis", TimeUnit.SECONDS.toMillis(shed.retryAfterSeconds()))
        .put("remaining", 0)
        .put("resetAfterMillis", 0)
        .put("delayMillis", 0)
        .put("rule", null)
        .put("claims", new JsonArray());
  }
}
