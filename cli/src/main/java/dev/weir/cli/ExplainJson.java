package dev.weir.cli;

import dev.weir.http.HttpMeters.Event;
import dev.weir.rule.PathReadings;
import dev.weir.rule.Rule;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Tells programs what the rules make of a request. */
final class ExplainJson {
  private ExplainJson() {}

  static Map<String, @Nullable Object> of(Explained explained, Values values, boolean ownSecret) {
    return Json.object(
        "version",
        explained.rules().version(),
        "request",
        request(explained),
        "keySecret",
        ownSecret ? "file" : "zeros",
        "rules",
        explained.each().stream()
            .map(one -> new RuleStory(one, explained.values(), values).json())
            .toList(),
        "blockedBy",
        explained.match().blockedBy().map(Rule::name).orElse(null),
        "claims",
        Counter.enforced(explained.match()).stream().map(Counter::json).toList(),
        "shadows",
        Counter.watching(explained.match()).stream().map(Counter::json).toList());
  }

  private static @Nullable Map<String, @Nullable Object> request(Explained explained) {
    AskedRequest request = explained.request();
    if (request == null) {
      return null;
    }
    String client = explained.values().value("ip exact");
    boolean unusable = explained.meters().of(Event.FORWARDED_UNUSABLE) > 0;
    return Json.object(
        "method",
        explained.values().value("method"),
        "path",
        explained.values().value("path"),
        "otherReadings",
        PathReadings.split(explained.values().value(PathReadings.NAME)),
        "host",
        explained.values().value("host"),
        "client",
        client,
        "countedAs",
        explained.values().value("ip"),
        "clientReason",
        Notes.client(explained.rules().http(), request, client, unusable),
        "notes",
        Notes.of(explained.meters()));
  }
}
