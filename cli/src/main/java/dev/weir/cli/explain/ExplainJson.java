package dev.weir.cli.explain;

import dev.weir.cli.command.SyntheticRequest;
import dev.weir.cli.terminal.Json;
import dev.weir.http.HttpMeters.Event;
import dev.weir.rule.Rule;
import dev.weir.rule.condition.PathReadings;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Formats an explanation as JSON. */
final class ExplainJson {
  private ExplainJson() {}

  /**
   * The document.
   *
   * @param ownSecret whether the keys are derived from a secret that the user gave
   */
  static Map<String, @Nullable Object> of(
      RequestExplanation explained, ValueRedactor redactor, boolean ownSecret) {
    return Json.object(
        "version",
        explained.rules().version(),
        "request",
        request(explained),
        "keySecret",
        ownSecret ? "file" : "zeros",
        "rules",
        explained.each().stream()
            .map(one -> new RuleExplanation(one, explained.values(), redactor).json())
            .toList(),
        "blockedBy",
        explained.match().blockedBy().map(Rule::name).orElse(null),
        "claims",
        Counter.enforced(explained.match()).stream().map(Counter::json).toList(),
        "shadows",
        Counter.shadows(explained.match()).stream().map(Counter::json).toList());
  }

  private static @Nullable Map<String, @Nullable Object> request(RequestExplanation explained) {
    SyntheticRequest request = explained.request();
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
        RequestNotes.client(explained.rules().http(), request, client, unusable),
        "notes",
        RequestNotes.of(explained.meters()));
  }
}
