package dev.weir.cli.top;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * Which callers are shown. Immutable.
 *
 * @param rule only of this rule; empty for all
 */
record CallerQuery(String kind, String window, String rule, String scope) {
  static final List<String> KINDS = List.of("denied", "shadow-denied", "near-limit", "allowed");
  static final List<String> WINDOWS = List.of("minute", "hour");
  static final List<String> SCOPES = List.of("fleet", "server");

  /** Those that the events of a server bring. */
  static final CallerQuery DEFAULT = new CallerQuery("denied", "minute", "", "fleet");

  CallerQuery nextKind() {
    return new CallerQuery(after(KINDS, kind), window, rule, scope);
  }

  CallerQuery nextWindow() {
    return new CallerQuery(kind, after(WINDOWS, window), rule, scope);
  }

  private static String after(List<String> words, String word) {
    return words.get((words.indexOf(word) + 1) % words.size());
  }

  /** The page of the administration port that has them. */
  String path() {
    String only = rule.isEmpty() ? "" : "&rule=" + URLEncoder.encode(rule, StandardCharsets.UTF_8);
    return "/callers?kind=" + kind + "&window=" + window + "&scope=" + scope + only;
  }

  /** What they are called: {@code Top denied callers}. */
  String title() {
    return "Top " + kind + " callers";
  }

  /** Of when, and where: {@code in the last minute, by this server}. */
  String range() {
    return "in the last " + window + (scope.equals("server") ? ", by this server" : "");
  }

  /** Whether a row about a rule is shown. */
  boolean includes(String ruleOfRow) {
    return rule.isEmpty() || rule.equals(ruleOfRow);
  }
}
