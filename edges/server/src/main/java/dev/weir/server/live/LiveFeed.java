package dev.weir.server.live;

import dev.weir.limiter.Agreement;
import dev.weir.limiter.Limiter.Outcome;
import dev.weir.server.callers.CallerStats;
import dev.weir.server.callers.FleetCallers;
import dev.weir.server.callers.Kind;
import dev.weir.server.callers.TopCaller;
import dev.weir.server.callers.TopCallers;
import dev.weir.server.callers.Window;
import dev.weir.server.live.DecisionHistory.RuleDenials;
import dev.weir.server.metrics.CandidateStats;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Supplier;

/**
 * What the page shows, as JSON: all of it at first, then what each second adds. Thread-safe; takes
 * milliseconds, so call it on no event loop.
 */
final class LiveFeed {
  /** The field with the number of events that a client knows by now. */
  static final String EVENT_COUNT = "eventCount";

  private static final int MAX_RULES = 20;
  private static final int MAX_CALLERS = 20;

  /** A page that did not get a few events knows these seconds all the same. */
  private static final int RECENT_SECONDS = 10;

  private final Sampler sampler;
  private final CallerStats stats;
  private final FleetCallers fleet;
  private final TopCallers top;
  private final Supplier<JsonObject> status;

  LiveFeed(Sampler sampler, CallerStats stats, FleetCallers fleet, Supplier<JsonObject> status) {
    this.sampler = sampler;
    this.stats = stats;
    this.fleet = fleet;
    this.top = TopCallers.ofFleet(fleet);
    this.status = status;
  }

  /** The history, for a page that has just been opened. */
  JsonObject snapshot() {
    JsonObject seconds = new JsonObject();
    JsonObject minutes = new JsonObject();
    for (Outcome outcome : Outcome.values()) {
      if (isShown(outcome)) {
        seconds.put(label(outcome), array(sampler.history().seconds(outcome, Timeline.SECONDS)));
        minutes.put(
            label(outcome), array(sampler.history().minutes(outcome, Timeline.MINUTES - 1)));
      }
    }
    return second(0)
        .put("history", new JsonObject().put("seconds", seconds).put("minutes", minutes));
  }

  /** What has happened in the last second, and how things are now. */
  JsonObject second(long knownEvents) {
    DecisionHistory history = sampler.history();
    JsonObject decisions = new JsonObject();
    JsonObject recent = new JsonObject();
    for (Outcome outcome : Outcome.values()) {
      if (isShown(outcome)) {
        int[] seconds = history.seconds(outcome, RECENT_SECONDS);
        decisions.put(label(outcome), seconds[RECENT_SECONDS - 1]);
        recent.put(label(outcome), array(seconds));
      }
    }
    JsonObject now = status.get().put("rulesSince", sampler.rulesSince().toString());
    sampler.p99Micros().ifPresent(micros -> now.put("p99Micros", micros));
    List<RuleDenials> denials = history.denials(MAX_RULES);
    EventLog.Recent news = sampler.events().recent(knownEvents);
    return new JsonObject()
        .put("time", sampler.nowMillis())
        .put("second", history.length())
        .put("status", now)
        .put("decisions", decisions)
        .put("recent", recent)
        .put("denials", denials(denials))
        .put("callers", callers())
        .put("utilisation", utilisation())
        .put("candidates", candidates())
        .put("events", events(news.list()))
        .put(EVENT_COUNT, news.count());
  }

  /** A whole request is never denied by another request. */
  private static boolean isShown(Outcome outcome) {
    return outcome != Outcome.DENIED_BY_OTHER;
  }

  private static String label(Outcome outcome) {
    return outcome.name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  private static JsonArray array(int[] values) {
    JsonArray array = new JsonArray();
    for (int value : values) {
      array.add(value);
    }
    return array;
  }

  private static JsonArray denials(List<RuleDenials> denials) {
    JsonArray list = new JsonArray();
    for (RuleDenials one : denials) {
      list.add(
          new JsonObject()
              .put("rule", one.rule())
              .put("perSecond", one.perSecond())
              .put("hourAgo", one.hourAgo())
              .put("seconds", new JsonArray(one.seconds())));
    }
    return list;
  }

  /** Those of all rules: a limit may be named otherwise among the denials, by its metric. */
  private JsonArray callers() {
    JsonArray list = new JsonArray();
    for (TopCaller one : top.of(fleet.rules(), Kind.DENIED, Window.MINUTE, MAX_CALLERS)) {
      list.add(one.json());
    }
    return list;
  }

  private JsonArray utilisation() {
    JsonArray list = new JsonArray();
    stats.rules().stream()
        .map(rule -> new JsonObject().put("rule", rule).put("percent", stats.usedPercent(rule)))
        .sorted(Comparator.<JsonObject>comparingInt(one -> -one.getInteger("percent")))
        .limit(MAX_RULES)
        .forEach(list::add);
    return list;
  }

  private JsonArray candidates() {
    JsonArray list = new JsonArray();
    for (CandidateStats.Comparison one : sampler.candidates().recent(MAX_RULES)) {
      list.add(
          new JsonObject()
              .put("rule", one.rule())
              .put("minute", counts(one.lastMinute()))
              .put("total", counts(one.total())));
    }
    return list;
  }

  private static JsonObject counts(Map<Agreement, Long> counts) {
    JsonObject json = new JsonObject();
    counts.forEach((agreement, count) -> json.put(CandidateStats.label(agreement), count));
    return json;
  }

  private static JsonArray events(List<Event> events) {
    JsonArray list = new JsonArray();
    events.forEach(event -> list.add(event.json()));
    return list;
  }
}
