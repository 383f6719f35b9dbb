package dev.weir.rules.syntax;

import dev.weir.rule.Identity;
import dev.weir.rule.Rule;
import dev.weir.rules.yaml.Problems;
import dev.weir.rules.yaml.Section;
import dev.weir.rules.yaml.YamlNode;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Reads {@code calls}, one at a time: limits that application code asks for by name, with a key and
 * a cost of its own. Not thread-safe.
 */
public final class CallSyntax {
  /** The maximum number of calls in all files; each is compiled by itself. */
  public static final int MAX_CALLS = 10_000;

  static final Set<String> KEYS =
      Set.of(
          "name",
          "note",
          "limit",
          "burst",
          "queue",
          "algorithm",
          "concurrent",
          "expires",
          "shadow",
          "mode",
          "share",
          "when-store-fails");

  /** The value that identifies a caller. */
  private static final Identity KEY = Identity.of("key");

  /** What to write instead of the keys that only rules have. */
  private static final Map<String, String> OF_RULES = instead();

  private final Problems problems;

  /** A reader for the calls of one version. */
  public CallSyntax(Problems problems) {
    this.problems = problems;
  }

  private static Map<String, String> instead() {
    Map<String, String> instead = new HashMap<>();
    MatchSyntax.KEYS.forEach(key -> instead.put(key, "a rule under rules, which is for requests"));
    instead.put("match", "a rule under rules, which is for requests");
    instead.put("per", "the key that the code gives with each call");
    instead.put("when-absent", "the key that the code gives with each call");
    instead.put("cost", "the cost that the code gives with each call");
    for (String key : Set.of("tier", "default-tier", "overrides")) {
      instead.put(key, "a call for each plan, of which the code names one");
    }
    for (String key : Set.of("allow", "block", "blocked-status")) {
      instead.put(key, "a check in the code, before the call");
    }
    instead.put("rollout", "shadow: true, until the limit is enforced for all callers");
    instead.put("candidate", "another call with shadow: true, which the code asks too");
    return Map.copyOf(instead);
  }

  /** Reads a call as a rule that counts by the key of the call; empty if it has no valid name. */
  public Optional<RuleSyntax.ParsedRule> read(YamlNode node) {
    long errors = problems.errors();
    Section section = Section.of(node, "call", KEYS, OF_RULES, problems);
    if (section.lacks("name")) {
      problems.error(node.location(), "name", "nothing", "a name for the call");
    }
    section.text("note");
    Optional<Rule.Builder> named = section.parse("name", Rule::named);
    Rule.Builder rule = named.orElseGet(() -> Rule.named("unnamed")).per(KEY);
    section.choice("when-store-fails", RuleSyntax.STORE_FAILS).ifPresent(rule::failureMode);
    new AllowanceSyntax(problems)
        .readLimits(
            section, AllowanceSyntax.options(section, null), "call", "a limit or concurrent")
        .ifPresent(rule::allow);
    rule.enforced(section.flag("shadow", false) ? 0 : Rule.WHOLE);
    ModeSyntax modes = new ModeSyntax(problems);
    rule.mode(modes.read(section));
    if (problems.errors() == errors) {
      modes.check(rule.build(), section);
    }
    boolean sound = problems.errors() == errors;
    return named.map(ignored -> new RuleSyntax.ParsedRule(rule.build(), section, sound));
  }
}
