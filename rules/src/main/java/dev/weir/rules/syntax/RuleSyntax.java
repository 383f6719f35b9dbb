package dev.weir.rules.syntax;

import dev.weir.Algorithm;
import dev.weir.rule.Allowance;
import dev.weir.rule.CallerOverride;
import dev.weir.rule.Candidate;
import dev.weir.rule.FailureMode;
import dev.weir.rule.Identity;
import dev.weir.rule.Rule;
import dev.weir.rule.Rule.WhenAbsent;
import dev.weir.rule.Tiers;
import dev.weir.rule.condition.Condition;
import dev.weir.rules.syntax.LimitSyntax.LimitOptions;
import dev.weir.rules.yaml.Problems;
import dev.weir.rules.yaml.Section;
import dev.weir.rules.yaml.YamlNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.stream.Collectors;

/** Reads rules, one at a time. Not thread-safe. */
public final class RuleSyntax {
  static final Set<String> KEYS =
      Set.of(
          "name",
          "note",
          "match",
          "per",
          "when-absent",
          "limit",
          "burst",
          "queue",
          "algorithm",
          "concurrent",
          "expires",
          "tier",
          "default-tier",
          "overrides",
          "allow",
          "block",
          "blocked-status",
          "cost",
          "shadow",
          "rollout",
          "candidate",
          "mode",
          "share",
          "when-store-fails");

  /** Hints for keys that belong into the match of a rule. */
  public static final Map<String, String> MISPLACED_KEYS =
      MatchSyntax.KEYS.stream()
          .collect(Collectors.toMap(key -> key, key -> "match: {" + key + ": …}"));

  /** The words for {@code when-store-fails}. */
  public static final Map<String, FailureMode> STORE_FAILS =
      Map.of(
          "allow", FailureMode.ALLOW,
          "deny", FailureMode.DENY,
          "local", FailureMode.LOCAL);

  private static final Map<String, WhenAbsent> ABSENT =
      Map.of("share", WhenAbsent.SHARE, "skip", WhenAbsent.SKIP);

  /** The maximum of parts that identify a caller. */
  private static final int MAX_PARTS = 8;

  private final IdentitySyntax identities;
  private final TierSyntax tiers;
  private final MatchSyntax matches;
  private final CostSyntax costs;
  private final Problems problems;

  /** A reader for the rules of one version. */
  public RuleSyntax(
      IdentitySyntax identities,
      TierSyntax tiers,
      MatchSyntax matches,
      CostSyntax costs,
      Problems problems) {
    this.identities = identities;
    this.tiers = tiers;
    this.matches = matches;
    this.costs = costs;
    this.problems = problems;
  }

  /**
   * A rule and its section, for checks that need locations.
   *
   * @param rule without its invalid parts
   * @param section that it was read from
   * @param sound whether the rule has no errors
   */
  public record ParsedRule(Rule rule, Section section, boolean sound) {}

  /** Reads a rule; empty if it has no valid name. */
  public Optional<ParsedRule> read(YamlNode node) {
    long errors = problems.errors();
    Section section = Section.of(node, "rule", KEYS, MISPLACED_KEYS, problems);
    if (section.lacks("name")) {
      problems.error(node.location(), "name", "nothing", "a name for the rule");
    }
    section.text("note");
    Optional<Rule.Builder> named = section.parse("name", Rule::named);
    Rule.Builder rule = named.orElseGet(() -> Rule.named("unnamed"));
    YamlNode match = section.node("match");
    List<Condition> conditions = match == null ? List.of() : matches.read(match);
    rule.match(conditions.toArray(Condition[]::new));
    List<Identity> per = readPer(section);
    rule.per(per.toArray(Identity[]::new));
    section.choice("when-absent", ABSENT).ifPresent(rule::whenAbsent);
    section.choice("when-store-fails", STORE_FAILS).ifPresent(rule::failureMode);
    section.parse("blocked-status", RuleSyntax::blockedStatus).ifPresent(rule::blockedStatus);
    LimitOptions options = AllowanceSyntax.options(section, null);
    boolean perInvalid = per.size() < section.nodes("per").size();
    CallerSyntax callers =
        new CallerSyntax(per, perInvalid, identities, matches, conditions, problems);
    OverrideSyntax overrides = new OverrideSyntax(per, callers, options, problems);
    overrides.read(section);
    Map<String, Allowance> base = readAllowance(section, options, rule, overrides);
    rule.override(overrides.overrides(base).toArray(CallerOverride[]::new));
    costs.read(section).ifPresent(rule::cost);
    AllowanceSyntax allowances = new AllowanceSyntax(problems);
    readRollout(section, allowances, rule);
    Optional<Candidate> candidate = allowances.candidate(section, options);
    ModeSyntax modes = new ModeSyntax(problems);
    rule.mode(modes.read(section));
    if (problems.errors() == errors && !perInvalid) {
      candidate.ifPresent(one -> propose(one, section, rule));
      Rule built = rule.build();
      modes.check(built, section);
      refuseSettledPermits(built, section);
    }
    boolean sound = problems.errors() == errors && !perInvalid;
    return named.map(ignored -> new ParsedRule(rule.build(), section, sound));
  }

  private static int blockedStatus(String written) {
    return switch (written) {
      case "403" -> Rule.FORBIDDEN;
      case "429" -> Rule.TOO_MANY_REQUESTS;
      default -> throw LimitSyntax.invalid("blocked-status", written, "403 or 429");
    };
  }

  private List<Identity> readPer(Section section) {
    List<YamlNode> nodes = section.list("per");
    if (nodes.size() > MAX_PARTS) {
      String expected = "at most " + MAX_PARTS;
      problems.error(section.location("per"), "per", nodes.size() + " parts", expected);
      return List.of();
    }
    List<Identity> per = new ArrayList<>();
    for (YamlNode node : nodes) {
      Optional<Identity> read = identities.read(node, "per", "per");
      if (read.isEmpty()) {
        continue;
      }
      List<List<String>> alternatives = read.get().alternatives();
      if (per.stream().anyMatch(one -> one.alternatives().equals(alternatives))) {
        problems.error(node.location(), "per", node.kind(), "each part once");
      }
      String name =
          node instanceof YamlNode.Text text ? text.value().strip() : nameOf(alternatives);
      per.add(new Identity(name, alternatives));
    }
    return per;
  }

  private static String nameOf(List<List<String>> alternatives) {
    return String.join(
        " or ",
        alternatives.stream().map(alternative -> String.join(" and ", alternative)).toList());
  }

  /**
   * Reads the allowance of callers without an exception.
   *
   * @return the allowances by tier; under an empty name if there are no tiers; empty if invalid
   */
  private Map<String, Allowance> readAllowance(
      Section section, LimitOptions options, Rule.Builder rule, OverrideSyntax overrides) {
    AllowanceSyntax allowances = new AllowanceSyntax(problems);
    if (section.has("tier") || section.has("default-tier")) {
      var unused = allowances.concurrent(section); // for its errors
      for (String key : List.of("limit", "burst", "queue", "concurrent")) {
        if (section.has(key)) {
          String expected = "either " + key + " or tier, whose limits are in tiers";
          problems.error(section.location(key), key, "beside tier", expected);
        }
      }
      Optional<Tiers> read = tiers.read(section, options.algorithm(), overrides);
      rule.tiers(read.orElse(null));
      return read.map(Tiers::tiers).orElse(Map.of());
    }
    Optional<Allowance> base =
        allowances.readLimits(section, options, "rule", "a limit, a tier or concurrent");
    base.ifPresent(rule::allow);
    return base.map(one -> Map.of("", one)).orElse(Map.of());
  }

  /** Refuses a cost that the response states where permits are held, not spent. */
  private void refuseSettledPermits(Rule rule, Section section) {
    boolean held =
        rule.allowances().stream()
            .flatMap(allowance -> allowance.limits().stream())
            .anyMatch(limit -> limit.algorithm() == Algorithm.CONCURRENCY);
    if (held && rule.cost().response() != null) {
      String expected = "a rule of its own for concurrent, whose permits are given back whole";
      problems.error(section.location("cost"), "cost", "beside concurrent", expected);
    }
  }

  /** Adds a candidate to a rule, or an error if it does not suit the rule. */
  private void propose(Candidate candidate, Section section, Rule.Builder rule) {
    try {
      var unused = rule.candidate(candidate).build();
    } catch (IllegalArgumentException e) {
      rule.candidate(null);
      problems.error(section.location("candidate"), String.valueOf(e.getMessage()));
    }
  }

  /**
   * Reads {@code rollout}: the share of callers that a rule is enforced for, in shadow for the
   * others; or, for a rule in shadow, the share that it applies to at all.
   */
  private static void readRollout(Section section, AllowanceSyntax syntax, Rule.Builder rule) {
    boolean shadow = section.flag("shadow", false);
    rule.enforced(shadow ? 0 : Rule.WHOLE);
    OptionalInt share = syntax.rollout(section, section);
    if (share.isPresent() && shadow) {
      rule.applied(share.getAsInt());
    } else if (share.isPresent()) {
      rule.enforced(share.getAsInt());
    }
  }
}
