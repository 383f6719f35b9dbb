package dev.weir.yaml;

import dev.weir.http.Ip;
import dev.weir.http.Network;
import dev.weir.rule.Allowance;
import dev.weir.rule.Condition;
import dev.weir.rule.Identity;
import dev.weir.rule.Special;
import dev.weir.yaml.LimitSyntax.Shape;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Reads {@code block}, {@code allow} and {@code overrides}: exceptions for particular callers.
 *
 * <p>An entry that is an address or a network fits only a caller known by its address, and any
 * other entry only one known by something else: nobody gets onto the list of 10.0.0.0/8 by sending
 * an API key of that name.
 */
final class SpecialsSyntax {
  static final Set<String> KEYS = Set.of("for", "limit", "burst", "queue", "algorithm");

  /** The most combinations of ways that one exception may stand for. */
  private static final int MOST_COMBINATIONS = 1_000;

  /** Digits and dots, or groups of hexadecimal digits and colons, whatever comes after a slash. */
  private static final Pattern ALMOST_ADDRESS =
      Pattern.compile("(\\d++(\\.\\d*+)++|[0-9A-Fa-f]*+(:[0-9A-Fa-f.]*+){2,})([/-].*+)?");

  private final List<Identity> per;
  private final Shape shape;
  private final MatchSyntax matches;
  private final AllowanceSyntax allowances;
  private final Problems problems;
  private final List<Special> specials = new ArrayList<>();

  SpecialsSyntax(List<Identity> per, Shape shape, MatchSyntax matches, Problems problems) {
    this.per = per;
    this.shape = Shape.of(shape.algorithm());
    this.matches = matches;
    this.allowances = new AllowanceSyntax(problems);
    this.problems = problems;
  }

  /** The exceptions in the order in which they count: who is blocked is blocked. */
  List<Special> found() {
    return specials;
  }

  void read(Section rule) {
    listed(rule, "block", Allowance.BLOCKED);
    listed(rule, "allow", Allowance.UNLIMITED);
    Node overrides = rule.node("overrides");
    if (overrides instanceof Node.Items items) {
      items.items().forEach(this::override);
    } else if (overrides != null && isSingle(rule, overrides, "overrides")) {
      for (Node.Field field : Section.open(overrides, "overrides", problems).fields()) {
        allowances
            .read(field.value(), "overrides", shape)
            .ifPresent(allowance -> add(field.key(), "overrides", allowance));
      }
    }
  }

  private void listed(Section rule, String key, Allowance allowance) {
    Node node = rule.node(key);
    if (node != null && isSingle(rule, node, key)) {
      List<Network> networks = new ArrayList<>();
      for (Node.Text text : rule.texts(key)) {
        if (isAddress(text.value().strip(), 0)) {
          network(text, key).ifPresent(networks::add);
        } else {
          add(text, key, allowance);
        }
      }
      // All in one, so that a long list is one look and not a walk.
      if (!networks.isEmpty()) {
        specials.add(new Special(Map.of(0, MatchSyntax.inside(networks)), allowance));
      }
    }
  }

  /** Whether a text names an address or a network, in a rule that knows callers by address. */
  private boolean isAddress(String value, int part) {
    int slash = value.indexOf('/');
    return per.get(part).alternatives().contains(List.of("ip"))
        && Ip.parse(slash < 0 ? value : value.substring(0, slash)) != null;
  }

  private Optional<Network> network(Node.Text text, String field) {
    return Section.made(text, field, ignored -> Network.parse(text.value().strip()), problems);
  }

  /** Whether the rule counts by one identity, so that a single value names a caller. */
  boolean isSingle(Section rule, Node node, String key) {
    if (per.size() == 1) {
      return true;
    }
    if (per.isEmpty() && rule.has("per")) {
      return false; // told already
    }
    String several =
        key.equals("tier")
            ? "a rule with one part in per, since the table names callers by one value"
            : "overrides as a list of {for: {…}, limit: …}, since per has several parts";
    String expected = per.isEmpty() ? "a rule with per, which tells whom it counts" : several;
    problems.error(node.place(), key, node.kind(), expected);
    return false;
  }

  /** {@code {for: {tenant: acme}, limit: 100/second}}. */
  private void override(Node node) {
    Section section = Section.of(node, "overrides", KEYS, problems);
    Node who = section.node("for");
    Node limit = section.node("limit");
    if (who == null || limit == null) {
      problems.error(node.place(), "overrides", node.kind(), "{for: {…}, limit: …}");
      return;
    }
    Shape own = AllowanceSyntax.shape(section, shape.algorithm());
    Optional<Allowance> allowance = allowances.read(limit, "limit", own);
    List<Map<Integer, Condition>> callers = callers(Section.open(who, "for", problems), who);
    for (Map<Integer, Condition> one : callers) {
      allowance.ifPresent(allowed -> specials.add(new Special(one, allowed)));
    }
  }

  private List<Map<Integer, Condition>> callers(Section who, Node node) {
    List<String> parts = per.stream().map(Identity::name).toList();
    if (who.fields().isEmpty() && node instanceof Node.Fields) {
      problems.error(node.place(), "for", "nobody", "a caller, such as {tenant: acme}");
    }
    List<Map<Integer, Condition>> callers = List.of(Map.of());
    for (Node.Field field : who.fields()) {
      String name = field.key().value();
      int part = parts.indexOf(name);
      if (part < 0) {
        String expected = per.isEmpty() ? "a rule with per" : Words.expected(name, parts);
        problems.error(field.key().place(), "for", name, expected);
        continue;
      }
      List<Condition> ways = new ArrayList<>();
      who.texts(name).forEach(text -> ways.addAll(conditions(text, part, name)));
      if ((long) callers.size() * ways.size() > MOST_COMBINATIONS) {
        String value = (long) callers.size() * ways.size() + " combinations";
        problems.error(node.place(), "for", value, "at most " + MOST_COMBINATIONS);
        return List.of();
      }
      callers = combined(callers, part, ways);
    }
    return who.fields().isEmpty() ? List.of() : callers;
  }

  private static List<Map<Integer, Condition>> combined(
      List<Map<Integer, Condition>> callers, int part, List<Condition> ways) {
    List<Map<Integer, Condition>> combined = new ArrayList<>();
    for (Map<Integer, Condition> caller : callers) {
      for (Condition way : ways) {
        Map<Integer, Condition> both = new HashMap<>(caller);
        both.put(part, way);
        combined.add(both);
      }
    }
    return combined;
  }

  /** Gives a caller, named by the one value that the rule counts by, an allowance of its own. */
  void add(Node.Text text, String field, Allowance allowance) {
    conditions(text, 0, field).forEach(one -> specials.add(new Special(Map.of(0, one), allowance)));
  }

  /** A condition for each way by which a caller may be this one. */
  private List<Condition> conditions(Node.Text text, int part, String field) {
    List<String> ways =
        per.get(part).alternatives().stream()
            .filter(way -> way.size() == 1)
            .map(way -> way.get(0))
            .toList();
    String value = text.value().strip();
    if (text.isNothing() || value.isEmpty()) {
      problems.error(text.place(), field, "nothing", "a caller");
      return List.of();
    }
    if (ways.isEmpty()) {
      String expected = "a rule that counts by one value; list the parts in per instead of all";
      problems.error(text.place(), field, value, expected);
      return List.of();
    }
    if (isAddress(value, part)) {
      return network(text, field)
          .map(network -> List.of(MatchSyntax.inside(List.of(network))))
          .orElse(List.of());
    }
    if (ways.contains("ip") && ALMOST_ADDRESS.matcher(value).matches()) {
      // Taken for a name it would let in whoever sends it as an API key, and no address.
      problems.error(text.place(), field, value, "an address or a network, such as 10.0.0.0/8");
      return List.of();
    }
    List<Condition> conditions =
        ways.stream()
            .filter(way -> !way.equals("ip"))
            .map(way -> Condition.oneOf(way, matches.canonical(way, value)))
            .toList();
    if (conditions.isEmpty()) {
      String expected = "an address or a network, which is what the rule counts by";
      problems.error(text.place(), field, value, expected);
    }
    return conditions;
  }
}
