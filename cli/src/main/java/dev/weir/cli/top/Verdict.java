package dev.weir.cli.top;

import dev.weir.cli.terminal.Style;
import dev.weir.cli.terminal.Wording;
import java.util.ArrayList;
import java.util.List;

/**
 * Whether Weir itself decides, in one sentence, and what that means.
 *
 * @param icon says the same as the colour of the style
 */
record Verdict(Style style, String icon, String title, String more) {

  /** What the status of a server means. */
  static Verdict of(Fields status) {
    Fields store = status.at("store");
    if (status.has("draining")) {
      return warning("This server is about to stop", "It still decides what it is asked.");
    }
    if (!status.isTrue("ready")) {
      return new Verdict(Style.RED, "✗", "This server takes no traffic", "It is not ready.");
    }
    if (!store.isTrue("answers")) {
      return withoutStore(store.at("whenStoreFails"));
    }
    String breaker = store.text("breaker");
    if (!breaker.isEmpty() && !breaker.equals("closed")) {
      return warning(
          "Weir decides, and tests its store", "Some requests are decided without the store.");
    }
    int problems = status.texts("problems").size();
    if (problems > 0) {
      String need = problems == 1 ? " needs a look" : " need a look";
      return warning(
          "Weir decides; " + Wording.count(problems, "problem") + need,
          "Requests are decided by the active rules.");
    }
    return new Verdict(Style.GREEN, "✓", "Weir decides every request", "Nothing is wrong.");
  }

  /** Nobody knows, because nothing has come for a while. */
  static Verdict unknown(String since) {
    return new Verdict(
        Style.YELLOW,
        "?",
        "Unknown whether Weir decides: no data since " + since,
        "Everything below is from then. Connecting again.");
  }

  /** Whether requests are decided as the rules say, if need be by each server alone. */
  boolean decides() {
    return style != Style.RED;
  }

  /** The sentences, with the icon; on a narrow screen the first one if nothing is wrong. */
  String text(int columns) {
    String first = icon + " " + title + ".";
    String all = first + " " + more;
    return style == Style.GREEN && all.length() > columns ? first : all;
  }

  private static Verdict warning(String title, String more) {
    return new Verdict(Style.YELLOW, "!", title, more);
  }

  /** By what the rules say for this case, the most dangerous first. */
  private static Verdict withoutStore(Fields rules) {
    long allow = rules.count("allow");
    long deny = rules.count("deny");
    List<String> parts = new ArrayList<>();
    add(parts, allow, "lets everything pass", "let everything pass");
    add(parts, deny, "denies everything", "deny everything");
    add(parts, rules.count("local"), "counts on each server alone", "count on each server alone");
    String more =
        parts.isEmpty() ? "No rule applies." : "By failure mode: " + String.join(", ", parts) + ".";
    if (allow > 0) {
      return new Verdict(
          Style.RED, "✗", "The store does not answer, and requests pass uncounted", more);
    }
    if (deny > 0) {
      return new Verdict(
          Style.RED, "✗", "The store does not answer, and requests are denied", more);
    }
    return warning("The store does not answer: each server counts alone", more);
  }

  private static void add(List<String> parts, long rules, String one, String many) {
    if (rules > 0) {
      parts.add(Wording.count(rules, "rule") + " " + (rules == 1 ? one : many));
    }
  }
}
