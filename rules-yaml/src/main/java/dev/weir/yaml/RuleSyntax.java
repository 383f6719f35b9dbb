package dev.weir.yaml;

import dev.weir.Claim;
import dev.weir.Limit;
import dev.weir.rule.Allowance;
import dev.weir.rule.Condition;
import dev.weir.rule.Cost;
import dev.weir.rule.Identity;
import dev.weir.rule.Percent;
import dev.weir.rule.Rule;
import dev.weir.rule.Rule.WhenAbsent;
import dev.weir.rule.Rule.WhenStoreFails;
import dev.weir.rule.Special;
import dev.weir.rule.Tiers;
import dev.weir.yaml.LimitSyntax.Shape;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.stream.Collectors;

/** Reads one rule. */
final class RuleSyntax {
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
          "mode",
          "share",
          "when-store-fails");

  /** What people write into a rule and belongs into its match. */
  private static final Map<String, String> ELSEWHERE =
      MatchSyntax.KEYS.stream()
          .collect(Collectors.toMap(key -> key, key -> "match: {" + key + ": …}"));

  static final Set<String> COST_KEYS = Set.of("from", "max", "otherwise");
  static final Map<String, WhenStoreFails> STORE_FAILS =
      Map.of(
          "allow", WhenStoreFails.ALLOW,
          "deny", WhenStoreFails.DENY,
          "local", WhenStoreFails.LOCAL);
  private static final Map<String, WhenAbsent> ABSENT =
      Map.of("share", WhenAbsent.SHARE, "skip", WhenAbsent.SKIP);

  /** The most parts that callers are told apart by. */
  private static final int MAX_PARTS = 8;

  private final Identities identities;
  private final TierSyntax tiers;
  private final MatchSyntax matches;
  private final Problems problems;

  RuleSyntax(Identities identities, TierSyntax tiers, MatchSyntax matches, Problems problems) {
    this.identities = identities;
    this.tiers = tiers;
    this.matches = matches;
    this.problems = problems;
  }

  /**
   * A rule and where it stands, for those who have something to say about it.
   *
   * @param sound whether all of it could be read
   */
  record Read(Rule rule, Section section, boolean sound) {}

  Optional<Read> read(Node node) {
    long errors = problems.errors();
    Section section = Section.of(node, "rule", KEYS, ELSEWHERE, problems);
    if (section.lacks("name")) {
      problems.error(node.place(), "name", "nothing", "a name for the rule");
    }
    section.text("note");
    Optional<Rule.Builder> named = section.made("name", Rule::named);
    Rule.Builder rule = named.orElseGet(() -> Rule.named("unnamed"));
    Node match = section.node("match");
    List<Condition> conditions = match == null ? List.of() : matches.read(match);
    rule.match(conditions.toArray(Condition[]::new));
    List<Identity> per = per(section);
    rule.per(per.toArray(Identity[]::new));
    section.choice("when-absent", ABSENT).ifPresent(rule::whenAbsent);
    section.choice("when-store-fails", STORE_FAILS).ifPresent(rule::whenStoreFails);
    section.made("blocked-status", RuleSyntax::status).ifPresent(rule::blockedStatus);
    Shape shape = AllowanceSyntax.shape(section, null);
    boolean perTold = per.size() < section.nodes("per").size();
    CallerSyntax callers =
        new CallerSyntax(per, perTold, identities, matches, conditions, problems);
    SpecialsSyntax specials = new SpecialsSyntax(per, callers, shape, problems);
    specials.read(section);
    Map<String, Allowance> usual = allow(section, shape, rule, specials);
    rule.special(specials.found(usual).toArray(Special[]::new));
    cost(section).ifPresent(rule::cost);
    rollout(section, per, rule);
    ModeSyntax modes = new ModeSyntax(problems);
    rule.mode(modes.read(section));
    if (problems.errors() == errors && !perTold) {
      modes.check(rule.build(), section);
    }
    boolean sound = problems.errors() == errors && !perTold;
    return named.map(ignored -> new Read(rule.build(), section, sound));
  }

  private static int status(String written) {
    return switch (written) {
      case "403" -> Rule.FORBIDDEN;
      case "429" -> Rule.TOO_MANY_REQUESTS;
      default -> throw LimitSyntax.refused("blocked-status", written, "403 or 429");
    };
  }

  private List<Identity> per(Section section) {
    List<Node> nodes = section.list("per");
    if (nodes.size() > MAX_PARTS) {
      String expected = "at most " + MAX_PARTS;
      problems.error(section.place("per"), "per", nodes.size() + " parts", expected);
      return List.of();
    }
    List<Identity> per = new ArrayList<>();
    for (Node node : nodes) {
      Optional<Identity> read = identities.read(node, "per", "per");
      if (read.isEmpty()) {
        continue;
      }
      List<List<String>> ways = read.get().alternatives();
      if (per.stream().anyMatch(one -> one.alternatives().equals(ways))) {
        problems.error(node.place(), "per", node.kind(), "each part once");
      }
      String name = node instanceof Node.Text text ? text.value().strip() : nameOf(ways);
      per.add(new Identity(name, ways));
    }
    return per;
  }

  private static String nameOf(List<List<String>> ways) {
    return String.join(" or ", ways.stream().map(way -> String.join(" and ", way)).toList());
  }

  /**
   * Reads what callers get who are no exception.
   *
   * @return the same by tier, or by an empty name; empty if something is wrong with it
   */
  private Map<String, Allowance> allow(
      Section section, Shape shape, Rule.Builder rule, SpecialsSyntax specials) {
    AllowanceSyntax allowances = new AllowanceSyntax(problems);
    Optional<Limit> concurrent = allowances.concurrent(section);
    Node limit = section.node("limit");
    boolean tiered = section.has("tier") || section.has("default-tier");
    if (limit == null && !tiered && !section.has("concurrent")) {
      if (section.lacks("limit", "tier", "default-tier", "concurrent")) {
        problems.error(section.place(), "rule", name(section), "a limit, a tier or concurrent");
      }
      return Map.of();
    }
    if (tiered) {
      for (String key : List.of("limit", "burst", "queue", "concurrent")) {
        if (section.has(key)) {
          String expected = "either " + key + " or tier, whose limits are in tiers";
          problems.error(section.place(key), key, "beside tier", expected);
        }
      }
      Optional<Tiers> read = tiers.read(section, shape.algorithm(), specials);
      rule.tiers(read.orElse(null));
      return read.map(Tiers::tiers).orElse(Map.of());
    }
    if (section.lacks("limit")
        && (shape.burst() != null || shape.queue() != null || shape.algorithm() != null)) {
      problems.error(
          section.place(), "rule", name(section), "a limit beside burst, queue or algorithm");
    }
    Optional<Allowance> rates =
        limit == null ? Optional.of(Allowance.UNLIMITED) : allowances.read(limit, "limit", shape);
    if (rates.isPresent() && rates.get().blocked() && concurrent.isPresent()) {
      problems.error(
          section.place("concurrent"), "concurrent: beside blocked (expected: one of them)");
      return Map.of();
    }
    List<Limit> all = new ArrayList<>(rates.map(Allowance::limits).orElse(List.of()));
    concurrent.ifPresent(all::add);
    Optional<Allowance> usual = rates.map(one -> one.blocked() ? one : new Allowance(false, all));
    usual.ifPresent(rule::allow);
    boolean known = usual.isPresent() && concurrent.isPresent() == section.has("concurrent");
    return known ? Map.of("", usual.get()) : Map.of();
  }

  private static String name(Section section) {
    return section.node("name") instanceof Node.Text text ? text.value() : "without name";
  }

  /** {@code cost: 5} or {@code cost: {from: header X-Cost, max: 100, otherwise: 1}}. */
  private Optional<Cost> cost(Section section) {
    if (!(section.node("cost") instanceof Node.Fields fields)) {
      var fixed = section.number("cost", 1, Claim.MAX_COST);
      return fixed.isPresent() ? Optional.of(Cost.of(fixed.getAsLong())) : Optional.empty();
    }
    Section cost = Section.of(fields, "cost", COST_KEYS, problems);
    if (cost.lacks("from") || cost.lacks("max")) {
      problems.error(fields.place(), "cost", "a mapping", "{from: header NAME, max: NUMBER}");
    }
    Optional<String> value = cost.text("from").flatMap(text -> identities.value(text, "from"));
    var max = cost.number("max", 1, Claim.MAX_COST);
    var otherwise = cost.number("otherwise", 0, Claim.MAX_COST);
    if (value.isEmpty() || max.isEmpty()) {
      return Optional.empty();
    }
    if (otherwise.isPresent() && otherwise.getAsLong() > max.getAsLong()) {
      String expected = "at most max, which is " + max.getAsLong();
      problems.error(cost.place("otherwise"), "otherwise", "" + otherwise.getAsLong(), expected);
      return Optional.empty();
    }
    return Optional.of(new Cost(value.get(), otherwise.orElse(1), max.getAsLong()));
  }

  /**
   * A rollout is of the rule as it stands: enforced for some callers and watching the others; or,
   * in shadow, watching some and not there for the others.
   */
  private void rollout(Section section, List<Identity> per, Rule.Builder rule) {
    boolean shadow = section.flag("shadow", false);
    rule.enforced(shadow ? 0 : Rule.WHOLE);
    Optional<Node.Text> rollout = section.text("rollout");
    if (rollout.isEmpty()) {
      return;
    }
    OptionalInt hundredths = Percent.parse(rollout.get().value());
    if (hundredths.isEmpty() || hundredths.getAsInt() > Rule.WHOLE) {
      String expected = "a share between 0% and 100%, such as 25% or 0.5%";
      problems.error(rollout.get().place(), "rollout", rollout.get().value(), expected);
      return;
    }
    if (per.isEmpty() && section.lacks("per")) {
      String expected = "a rule with per, since a rollout picks callers";
      problems.error(rollout.get().place(), "rollout", rollout.get().value(), expected);
    }
    if (shadow) {
      rule.applied(hundredths.getAsInt());
    } else {
      rule.enforced(hundredths.getAsInt());
    }
  }
}
