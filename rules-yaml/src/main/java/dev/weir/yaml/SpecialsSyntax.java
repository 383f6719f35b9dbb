package dev.weir.yaml;

import dev.weir.http.Network;
import dev.weir.rule.Allowance;
import dev.weir.rule.Condition;
import dev.weir.rule.Entitlement;
import dev.weir.rule.Identity;
import dev.weir.rule.Multiple;
import dev.weir.rule.Special;
import dev.weir.yaml.CallerSyntax.Part;
import dev.weir.yaml.LimitSyntax.Shape;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Reads {@code block}, {@code allow} and {@code overrides}: exceptions for particular callers. */
final class SpecialsSyntax {
  static final Set<String> KEYS = Set.of("for", "limit", "burst", "queue", "algorithm");

  private final List<Identity> per;
  private final CallerSyntax callers;
  private final Shape shape;
  private final AllowanceSyntax allowances;
  private final MultipleSyntax multiples;
  private final Problems problems;
  private final List<Special> specials = new ArrayList<>();

  SpecialsSyntax(List<Identity> per, CallerSyntax callers, Shape shape, Problems problems) {
    this.per = per;
    this.callers = callers;
    this.shape = Shape.of(shape.algorithm());
    this.allowances = new AllowanceSyntax(problems);
    this.multiples = new MultipleSyntax(problems);
    this.problems = problems;
  }

  /**
   * The exceptions in the order in which they count: who is blocked is blocked.
   *
   * @param usual what callers get who are no exception, by tier; by an empty name without tiers;
   *     empty if something is wrong with it
   */
  List<Special> found(Map<String, Allowance> usual) {
    if (usual.isEmpty() || !multiples.check(usual)) {
      specials.removeIf(one -> one.entitlement() instanceof Multiple);
    }
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
        entitlement(field.value(), "overrides", shape)
            .map(own -> named(null, field.key(), "overrides", own))
            .ifPresent(specials::addAll);
      }
    }
  }

  /** Values, or mappings that tell by which way the caller is known. */
  private void listed(Section rule, String key, Allowance allowance) {
    Node node = rule.node(key);
    List<Node> entries = rule.list(key);
    boolean plain = entries.stream().anyMatch(one -> !(one instanceof Node.Fields));
    if (node == null || (plain && !isSingle(rule, node, key))) {
      return;
    }
    List<Network> networks = new ArrayList<>();
    for (Node entry : entries) {
      if (entry instanceof Node.Fields) {
        callers
            .all(entry, key, allowance.blocked())
            .forEach(one -> specials.add(new Special(one, allowance)));
        continue;
      }
      Optional<Node.Text> text = Section.text(entry, key, problems);
      if (text.isPresent() && CallerSyntax.isAddress(text.get().value().strip(), callers.only())) {
        callers.network(text.get(), key).ifPresent(networks::add);
      } else {
        text.map(one -> named(null, one, key, allowance)).ifPresent(specials::addAll);
      }
    }
    // All in one, so that a long list is one look and not a walk.
    if (!networks.isEmpty()) {
      specials.add(new Special(Map.of(0, MatchSyntax.inside(networks)), allowance));
    }
  }

  /** Whether the rule counts by one identity, so that a single value names a caller. */
  boolean isSingle(Section rule, Node node, String key) {
    if (per.size() == 1) {
      return true;
    }
    if (per.isEmpty() && !rule.lacks("per")) {
      return false; // told already
    }
    String several =
        switch (key) {
          case "tier" -> "a rule with one part in per, since the table names callers by one value";
          case "overrides" ->
              "overrides as a list of {for: {…}, limit: …}, since per has several parts";
          default -> "a mapping for each, such as {tenant: acme}, since per has several parts";
        };
    String expected = per.isEmpty() ? "a rule with per, which tells whom it counts" : several;
    problems.error(node.place(), key, node.kind(), expected);
    return false;
  }

  /** {@code {for: {tenant: acme}, limit: 100/second}}. */
  private void override(Node node) {
    Section section = Section.of(node, "overrides", KEYS, problems);
    Node who = section.node("for");
    Node limit = section.node("limit");
    if (section.lacks("for") || section.lacks("limit")) {
      problems.error(node.place(), "overrides", node.kind(), "{for: {…}, limit: …}");
    }
    Shape own = AllowanceSyntax.shape(section, shape.algorithm());
    Optional<? extends Entitlement> given =
        limit == null ? Optional.empty() : entitlement(limit, "limit", own);
    if (given.isPresent() && given.get() instanceof Multiple multiple) {
      for (String key : List.of("burst", "queue", "algorithm")) {
        if (section.has(key)) {
          String expected = "none, since " + multiple + " multiplies the rule's own limits";
          problems.error(section.place(key), key, "beside " + multiple, expected);
        }
      }
    }
    if (who != null) {
      boolean blocks = given.isEmpty() || Allowance.BLOCKED.equals(given.get());
      List<Map<Integer, Condition>> found = callers.all(who, "for", blocks);
      given.ifPresent(all -> found.forEach(one -> specials.add(new Special(one, all))));
    }
  }

  private Optional<? extends Entitlement> entitlement(Node node, String field, Shape own) {
    return node instanceof Node.Text text && MultipleSyntax.isMeant(text.value())
        ? multiples.read(text, field)
        : allowances.read(node, field, own);
  }

  /**
   * What a caller is given that is named by the one value the rule counts by.
   *
   * @param way by which the caller is known; null if by any
   */
  List<Special> named(
      Node.@Nullable Text way, Node.Text text, String field, Entitlement entitlement) {
    boolean blocks = entitlement.equals(Allowance.BLOCKED);
    Optional<Part> part = way == null ? Optional.of(callers.only()) : callers.part(way, field);
    return part.map(one -> callers.one(text, one, field, field, blocks)).stream()
        .flatMap(List::stream)
        .map(one -> new Special(Map.of(0, one), entitlement))
        .toList();
  }
}
