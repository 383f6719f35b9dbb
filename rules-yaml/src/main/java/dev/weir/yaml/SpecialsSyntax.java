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
import java.util.TreeSet;

/**
 * Reads {@code block}, {@code allow} and {@code overrides}: exceptions for particular callers.
 *
 * <p>An entry that is an address or a network fits only a caller known by its address, and any
 * other entry only one known by something else: nobody gets onto the list of 10.0.0.0/8 by sending
 * an API key of that name.
 */
final class SpecialsSyntax {
  private static final Set<String> KEYS = Set.of("for", "limit", "burst", "queue", "algorithm");

  private final List<Identity> per;
  private final Shape shape;
  private final AllowanceSyntax allowances;
  private final Problems problems;
  private final List<Special> specials = new ArrayList<>();

  SpecialsSyntax(List<Identity> per, Shape shape, Problems problems) {
    this.per = per;
    this.shape = new Shape(shape.algorithm(), null, null);
    this.allowances = new AllowanceSyntax(problems);
    this.problems = problems;
  }

  /** The exceptions in the order in which they count: who is blocked is blocked. */
  List<Special> read(Section rule) {
    listed(rule, "block", Allowance.BLOCKED);
    listed(rule, "allow", Allowance.UNLIMITED);
    Node overrides = rule.node("overrides");
    if (overrides instanceof Node.Items items) {
      items.items().forEach(this::override);
    } else if (overrides != null && single(overrides, "overrides")) {
      for (Node.Field field : Section.open(overrides, "overrides", problems).fields()) {
        allowances
            .read(field.value(), "overrides", shape)
            .ifPresent(allowance -> add(field.key(), 0, "overrides", allowance));
      }
    }
    return specials;
  }

  private void listed(Section rule, String key, Allowance allowance) {
    if (rule.has(key) && single(java.util.Objects.requireNonNull(rule.node(key)), key)) {
      rule.texts(key).forEach(text -> add(text, 0, key, allowance));
    }
  }

  private boolean single(Node node, String key) {
    if (per.size() == 1) {
      return true;
    }
    String expected =
        per.isEmpty()
            ? "a rule with per, which tells whom it counts"
            : "a list of {for: {…}, limit: …}, since the rule counts by several parts";
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
    List<Map<Integer, Condition>> callers = List.of(Map.of());
    for (Node.Field field : Section.open(who, "for", problems).fields()) {
      String name = field.key().value();
      List<String> parts = per.stream().map(Identity::name).toList();
      int part = parts.indexOf(name);
      if (part < 0) {
        problems.error(
            field.key().place(), "for", name, Words.expected(name, new TreeSet<>(parts)));
        continue;
      }
      List<Condition> ways =
          Section.text(field.value(), name, problems)
              .map(text -> conditions(text, part, name))
              .orElse(List.of());
      callers = combined(callers, part, ways);
    }
    for (Map<Integer, Condition> one : callers) {
      allowance.ifPresent(allowed -> specials.add(new Special(one, allowed)));
    }
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

  private void add(Node.Text text, int part, String field, Allowance allowance) {
    if (text.isNothing()) {
      problems.error(text.place(), field, "nothing", "a caller");
    }
    conditions(text, part, field)
        .forEach(one -> specials.add(new Special(Map.of(part, one), allowance)));
  }

  /** A condition for each way by which a caller may be this one. */
  private List<Condition> conditions(Node.Text text, int part, String field) {
    List<String> ways =
        per.get(part).alternatives().stream()
            .filter(way -> way.size() == 1)
            .map(way -> way.get(0))
            .toList();
    String address = text.value().replaceFirst("/.*", "");
    if (ways.contains("ip") && Ip.parse(address) != null) {
      return Section.made(text, field, Network::parse, problems)
          .map(network -> List.of(MatchSyntax.inside(List.of(network))))
          .orElse(List.of());
    }
    List<Condition> conditions =
        ways.stream()
            .filter(way -> !way.equals("ip"))
            .map(way -> Condition.oneOf(way, text.value()))
            .toList();
    if (conditions.isEmpty()) {
      String expected = "an address or a network, which is what the rule counts by";
      problems.error(text.place(), field, text.value(), expected);
    }
    return conditions;
  }
}
