package dev.weir.rules.syntax;

import dev.weir.http.address.Network;
import dev.weir.rule.Allowance;
import dev.weir.rule.CallerOverride;
import dev.weir.rule.Entitlement;
import dev.weir.rule.Identity;
import dev.weir.rule.Multiple;
import dev.weir.rule.condition.Condition;
import dev.weir.rules.syntax.CallerSyntax.Part;
import dev.weir.rules.syntax.LimitSyntax.LimitOptions;
import dev.weir.rules.yaml.Problems;
import dev.weir.rules.yaml.Section;
import dev.weir.rules.yaml.YamlNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Reads {@code block}, {@code allow} and {@code overrides}: exceptions for certain callers. */
final class OverrideSyntax {
  static final Set<String> KEYS = Set.of("for", "limit", "burst", "queue", "algorithm");

  private final List<Identity> per;
  private final CallerSyntax callers;
  private final LimitOptions options;
  private final AllowanceSyntax allowances;
  private final MultipleSyntax multiples;
  private final Problems problems;
  private final List<CallerOverride> overrides = new ArrayList<>();

  OverrideSyntax(
      List<Identity> per, CallerSyntax callers, LimitOptions options, Problems problems) {
    this.per = per;
    this.callers = callers;
    this.options = LimitOptions.of(options.algorithm());
    this.allowances = new AllowanceSyntax(problems);
    this.multiples = new MultipleSyntax(problems);
    this.problems = problems;
  }

  /**
   * The exceptions in order of precedence: {@code block} comes first.
   *
   * @param base the allowances of callers without an exception, by tier; under an empty name if
   *     there are no tiers; empty if they are invalid
   */
  List<CallerOverride> overrides(Map<String, Allowance> base) {
    if (base.isEmpty() || !multiples.check(base)) {
      overrides.removeIf(one -> one.entitlement() instanceof Multiple);
    }
    return overrides;
  }

  void read(Section rule) {
    readList(rule, "block", Allowance.BLOCKED);
    readList(rule, "allow", Allowance.UNLIMITED);
    YamlNode node = rule.node("overrides");
    if (node instanceof YamlNode.Items items) {
      items.items().forEach(this::readOverride);
    } else if (node != null && requireSinglePart(rule, node, "overrides")) {
      for (YamlNode.Field field : Section.open(node, "overrides", problems).fields()) {
        entitlement(field.value(), "overrides", options)
            .map(own -> forValue(null, field.key(), "overrides", own))
            .ifPresent(overrides::addAll);
      }
    }
  }

  /** Reads a list of values, or of mappings that name a part of the caller's identity. */
  private void readList(Section rule, String key, Allowance allowance) {
    YamlNode node = rule.node(key);
    List<YamlNode> entries = rule.list(key);
    boolean plain = entries.stream().anyMatch(one -> !(one instanceof YamlNode.Fields));
    if (node == null || (plain && !requireSinglePart(rule, node, key))) {
      return;
    }
    List<Network> networks = new ArrayList<>();
    for (YamlNode entry : entries) {
      if (entry instanceof YamlNode.Fields) {
        callers
            .readMapping(entry, key, allowance.blocked())
            .forEach(one -> overrides.add(new CallerOverride(one, allowance)));
        continue;
      }
      Optional<YamlNode.Text> text = Section.text(entry, key, problems);
      if (text.isPresent()
          && CallerSyntax.isAddress(text.get().value().strip(), callers.onlyPart())) {
        callers.readNetwork(text.get(), key).ifPresent(networks::add);
      } else {
        text.map(one -> forValue(null, one, key, allowance)).ifPresent(overrides::addAll);
      }
    }
    // One condition for all networks, so that a long list takes one lookup.
    if (!networks.isEmpty()) {
      overrides.add(new CallerOverride(Map.of(0, MatchSyntax.inside(networks)), allowance));
    }
  }

  /**
   * Whether the rule counts by one identity, so that one value names a caller; if not, an error.
   */
  boolean requireSinglePart(Section rule, YamlNode node, String key) {
    if (per.size() == 1) {
      return true;
    }
    if (per.isEmpty() && !rule.lacks("per")) {
      return false; // reported already
    }
    String several =
        switch (key) {
          case "tier" -> "a rule with one part in per, since the table names callers by one value";
          case "overrides" ->
              "overrides as a list of {for: {…}, limit: …}, since per has several parts";
          default -> "a mapping for each, such as {tenant: acme}, since per has several parts";
        };
    String expected = per.isEmpty() ? "a rule with per, which says whom it counts" : several;
    problems.error(node.location(), key, node.kind(), expected);
    return false;
  }

  /** Reads {@code {for: {tenant: acme}, limit: 100/second}}. */
  private void readOverride(YamlNode node) {
    Section section = Section.of(node, "overrides", KEYS, problems);
    YamlNode who = section.node("for");
    YamlNode limit = section.node("limit");
    if (section.lacks("for") || section.lacks("limit")) {
      problems.error(node.location(), "overrides", node.kind(), "{for: {…}, limit: …}");
    }
    LimitOptions own = AllowanceSyntax.options(section, options.algorithm());
    Optional<? extends Entitlement> given =
        limit == null ? Optional.empty() : entitlement(limit, "limit", own);
    if (given.isPresent() && given.get() instanceof Multiple multiple) {
      for (String key : List.of("burst", "queue", "algorithm")) {
        if (section.has(key)) {
          String expected = "none, since " + multiple + " multiplies the rule's own limits";
          problems.error(section.location(key), key, "beside " + multiple, expected);
        }
      }
    }
    if (who != null) {
      boolean blocks = given.isEmpty() || Allowance.BLOCKED.equals(given.get());
      List<Map<Integer, Condition>> found = callers.readMapping(who, "for", blocks);
      given.ifPresent(all -> found.forEach(one -> overrides.add(new CallerOverride(one, all))));
    }
  }

  private Optional<? extends Entitlement> entitlement(
      YamlNode node, String field, LimitOptions own) {
    return node instanceof YamlNode.Text text && MultipleSyntax.looksLikeMultiple(text.value())
        ? multiples.read(text, field)
        : allowances.read(node, field, own);
  }

  /**
   * The exceptions for a caller that is named by one value.
   *
   * @param alternative the part of the identity that has the value; null for any
   */
  List<CallerOverride> forValue(
      YamlNode.@Nullable Text alternative,
      YamlNode.Text text,
      String field,
      Entitlement entitlement) {
    boolean blocks = entitlement.equals(Allowance.BLOCKED);
    Optional<Part> part =
        alternative == null
            ? Optional.of(callers.onlyPart())
            : callers.findPart(alternative, field);
    return part.map(one -> callers.readValue(text, one, field, field, blocks)).stream()
        .flatMap(List::stream)
        .map(one -> new CallerOverride(Map.of(0, one), entitlement))
        .toList();
  }
}
