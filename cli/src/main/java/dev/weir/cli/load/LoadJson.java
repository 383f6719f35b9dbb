package dev.weir.cli.load;

import dev.weir.cli.terminal.Json;
import dev.weir.load.measure.Latency;
import dev.weir.load.measure.LoadResult;
import dev.weir.load.measure.Outcome;
import dev.weir.load.measure.Second;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The result of a run as a JSON document. */
public final class LoadJson {
  private LoadJson() {}

  /** The document, for {@link dev.weir.cli.terminal.Terminal#json}. */
  public static Map<String, @Nullable Object> of(String url, LoadResult result) {
    Map<String, @Nullable Object> outcomes = new LinkedHashMap<>();
    for (Outcome outcome : Outcome.values()) {
      outcomes.put(name(outcome), result.counts().of(outcome));
    }
    Map<String, @Nullable Object> statuses = new LinkedHashMap<>();
    result.counts().statuses().forEach((status, count) -> statuses.put("" + status, count));
    return Json.object(
        "url", url,
        "offerMillis", result.offerMillis(),
        "requests", result.counts().offered(),
        "usefulPerSecond", result.usefulPerSecond(),
        "outcomes", outcomes,
        "statuses", statuses,
        "admitted", latency(result.admitted().summary()),
        "limited", latency(result.limited()),
        "sentLate", latency(result.sendDelay()),
        "seconds", result.seconds().stream().map(LoadJson::second).toList());
  }

  /** {@code notSent} for {@code NOT_SENT}. */
  private static String name(Outcome outcome) {
    StringBuilder name = new StringBuilder();
    for (char c : outcome.name().toCharArray()) {
      boolean first = name.length() > 0 && name.charAt(name.length() - 1) == '_';
      if (first) {
        name.setLength(name.length() - 1);
      }
      name.append(first ? c : Character.toLowerCase(c));
    }
    return name.toString();
  }

  private static Map<String, @Nullable Object> second(Second second) {
    return Json.object(
        "second", second.index(),
        "offered", second.offered(),
        "useful", second.useful(),
        "limited", second.limited(),
        "shed", second.shed(),
        "failed", second.failed(),
        "admitted", latency(second.admitted()));
  }

  private static Map<String, @Nullable Object> latency(Latency latency) {
    return Json.object(
        "count", latency.count(),
        "meanMicros", latency.meanMicros(),
        "p50Micros", latency.p50Micros(),
        "p95Micros", latency.p95Micros(),
        "p99Micros", latency.p99Micros(),
        "maxMicros", latency.maxMicros());
  }
}
