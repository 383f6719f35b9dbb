package dev.weir.cli.explain;

import dev.weir.cli.terminal.Style;
import dev.weir.cli.terminal.Terminal;
import dev.weir.cli.terminal.Wording;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Prints a server's explanation as text, without the parts that an older server lacks. */
final class LiveExplanationText {
  private final Terminal out;
  private final PageLayout page;
  private final ValueRedactor redactor;
  private final Map<?, ?> explained;

  LiveExplanationText(Terminal out, ValueRedactor redactor, Map<String, Object> explained) {
    this.out = out;
    this.page = new PageLayout(out);
    this.redactor = redactor;
    this.explained = explained;
  }

  void print() {
    request();
    List<Map<?, ?>> rules = list(explained, "rules");
    page.heading("Rules that apply");
    rules.stream().filter(LiveExplanationText::applies).forEach(this::applying);
    page.heading("Rules that do not");
    rules.stream().filter(rule -> !applies(rule)).forEach(this::notApplying);
    long omitted = number(explained, "omitted");
    if (omitted > 0) {
      out.line("  and ", Wording.count(omitted, "other"));
    }
    page.heading("Asked now, /v1/check would answer");
    if (explained.get("error") == null) {
      decision(map(explained, "decision"));
    } else {
      String status = text(map(explained, "error"), "status");
      out.line(
          "  ",
          Style.RED.of(status),
          ": the store does not answer, and a rule denies in that case");
    }
  }

  private void request() {
    Map<?, ?> request = map(explained, "request");
    if (request.isEmpty()) {
      out.line(Style.BOLD.of("No HTTP request, only entries"));
    } else {
      out.line(Style.BOLD.of(text(request, "method") + " " + text(request, "path")));
      if (request.get("otherReadings") instanceof List<?> others) {
        others.forEach(other -> page.field("or", String.valueOf(other)));
      }
      page.field("host", text(request, "host"));
      String client = text(request, "client");
      String counted = text(request, "countedAs");
      page.field("client", client.equals(counted) ? client : client + ", counted as " + counted);
    }
    page.field("rules", "version " + text(explained, "version"));
  }

  private void applying(Map<?, ?> rule) {
    out.line("  ", Style.GREEN.of(text(rule, "rule")));
    page.detail("counts", caller(rule));
    if (rule.get("callerHash") != null) {
      page.detail("caller", text(rule, "callerHash"));
    }
    actions(rule);
    List<Map<?, ?>> counters = list(rule, "counters");
    if (counters.isEmpty()) {
      page.detail("result", rule.get("blocked") == Boolean.TRUE ? "denied" : "not limited");
    }
    for (Map<?, ?> counter : counters) {
      boolean shadow = counter.get("enforced") == Boolean.FALSE;
      page.detail("limit", limit(map(counter, "limit")) + (shadow ? " (shadow)" : ""));
      page.detail("remaining", remaining(counter));
      if (counter.get("resetAfterMillis") != null) {
        page.detail("reset", in(counter, "resetAfterMillis"));
      }
      if (counter.get("allowed") == Boolean.FALSE) {
        boolean waits = counter.get("retryAfterMillis") != null;
        page.detail(
            "retry", waits ? in(counter, "retryAfterMillis") : "never: the cost exceeds the limit");
      }
      if (counter.get("leased") == Boolean.TRUE) {
        page.detail("leased", "by this server at the moment");
      }
      if (counter.get("note") != null) {
        page.detail("note", text(counter, "note"));
      }
    }
    candidate(map(rule, "candidate"));
    if (rule.get("mode") != null && !counters.isEmpty()) {
      String share = rule.get("share") == null ? null : text(rule, "share");
      page.detail("mode", Wording.mode(text(rule, "mode"), share));
    }
    if (rule.get("whenStoreFails") != null && !counters.isEmpty()) {
      page.detail("store fails", text(rule, "whenStoreFails"));
    }
  }

  private void candidate(Map<?, ?> candidate) {
    if (candidate.isEmpty()) {
      return;
    }
    Map<?, ?> other = map(candidate, "other");
    boolean inForce = candidate.get("inForce") == Boolean.TRUE;
    String verdict =
        other.get("allowed") == null
            ? "unknown: the store does not answer"
            : other.get("allowed") == Boolean.TRUE ? "would pass" : "would be denied";
    page.detail("candidate", inForce ? "in force for this caller" : "not in force: " + verdict);
    if (inForce) {
      page.detail("otherwise", verdict);
    }
    for (Map<?, ?> counter : list(other, "counters")) {
      String left = ", remaining " + remaining(counter);
      page.detail("by", limit(map(counter, "limit")) + left);
    }
  }

  private void actions(Map<?, ?> rule) {
    for (Map<?, ?> action : list(rule, "actions")) {
      String factor = action.get("factor") == null ? "" : " by " + text(action, "factor");
      String what = action.get("action") == null ? "" : ": " + text(action, "action") + factor;
      String until = action.get("until") == null ? "" : " until " + text(action, "until");
      String why = action.get("why") == null ? "" : ", " + text(action, "why");
      page.detail("action", text(action, "id") + what + until + why);
    }
  }

  private static String remaining(Map<?, ?> counter) {
    if (counter.get("remaining") == null) {
      return "unknown: the store does not answer";
    }
    long remaining = number(counter, "remaining");
    return switch (text(counter, "degraded")) {
      case "allow" -> "not counted: the store does not answer";
      case "local" -> remaining + " of this server's share: the store does not answer";
      default -> String.valueOf(remaining);
    };
  }

  private String caller(Map<?, ?> rule) {
    List<String> parts = new ArrayList<>();
    for (Map<?, ?> part : list(rule, "caller")) {
      String name = text(part, "name");
      parts.add(
          part.containsKey("absent")
              ? "no " + text(part, "absent") + ", shared by all callers without one"
              : name + " " + redactor.redacted(name, text(part, "value")));
    }
    return parts.isEmpty() ? "everybody together" : String.join(" and ", parts);
  }

  private void notApplying(Map<?, ?> rule) {
    out.line("  ", Style.YELLOW.of(text(rule, "rule")));
    List<Map<?, ?>> failed = list(rule, "failed");
    for (Map<?, ?> one : failed) {
      String name = text(one, "value");
      String actual = redactor.redacted(name, one.get("is") instanceof String is ? is : null);
      out.line("    ", name + ": " + actual + " (expected: " + text(one, "expected") + ")");
    }
    actions(rule);
    if (failed.isEmpty() && list(rule, "actions").isEmpty()) {
      boolean outside = rule.get("outsideRollout") == Boolean.TRUE;
      out.line(
          outside
              ? "    rollout: this caller is not included"
              : "    caller: absent (when-absent: skip)");
    }
  }

  private void decision(Map<?, ?> decision) {
    boolean allowed = decision.get("allowed") == Boolean.TRUE;
    Style.Piece word = allowed ? Style.GREEN.of("allowed") : Style.RED.of("denied");
    String by = decision.get("rule") == null ? "" : " by " + text(decision, "rule");
    if (allowed) {
      String remaining = number(decision, "remaining") + " remaining" + by.replace(" by ", " in ");
      String result = text(decision, "degraded").equals("allow") ? "not counted" : remaining;
      out.line("  ", word, by.isEmpty() ? ", no limit applies" : ", " + result, degraded(decision));
    } else {
      boolean waits = decision.get("retryAfterMillis") != null;
      String retry = waits ? ", retry " + in(decision, "retryAfterMillis") : "";
      out.line("  ", word, by, retry, degraded(decision));
    }
  }

  private static String degraded(Map<?, ?> decision) {
    boolean degraded = decision.get("degraded") != null;
    return degraded ? ", without the store (" + text(decision, "degraded") + ")" : "";
  }

  private static String limit(Map<?, ?> limit) {
    String algorithm = text(limit, "algorithm");
    long permits = number(limit, "permits");
    Duration window = Duration.ofMillis(number(limit, "windowMillis"));
    String per = limit.get("calendar") == null ? Wording.window(window) : text(limit, "calendar");
    return Wording.limit(algorithm, permits, per, number(limit, "capacity"), window);
  }

  private static boolean applies(Map<?, ?> rule) {
    return rule.get("applies") == Boolean.TRUE;
  }

  /** A duration in seconds, rounded up as in {@code Retry-After}. */
  private static String in(Map<?, ?> object, String name) {
    return "in " + (number(object, name) + 999) / 1_000 + " s";
  }

  private static String text(Map<?, ?> object, String name) {
    return object.get(name) == null ? "absent" : String.valueOf(object.get(name));
  }

  private static long number(Map<?, ?> object, String name) {
    return object.get(name) instanceof Number number ? number.longValue() : 0;
  }

  private static Map<?, ?> map(Map<?, ?> object, String name) {
    return object.get(name) instanceof Map<?, ?> map ? map : Map.of();
  }

  private static List<Map<?, ?>> list(Map<?, ?> object, String name) {
    List<Map<?, ?>> maps = new ArrayList<>();
    if (object.get(name) instanceof List<?> list) {
      for (@Nullable Object one : list) {
        maps.add(one instanceof Map<?, ?> map ? map : Map.of());
      }
    }
    return maps;
  }
}
