package dev.weir.yaml;

import dev.weir.Algorithm;
import dev.weir.rule.Allowance;
import dev.weir.rule.Special;
import dev.weir.rule.Tiers;
import dev.weir.yaml.LimitSyntax.Shape;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Reads {@code tiers}, and what a rule makes of them. */
final class TierSyntax {
  /** Every rule with tiers looks at all of them. */
  private static final int MAX_TIERS = 1_000;

  private final Map<String, Node.Field> tiers = new LinkedHashMap<>();
  private final Map<Shape, Map<String, Allowance>> read = new HashMap<>();
  private final Identities identities;
  private final AllowanceSyntax allowances;
  private final Problems problems;
  private boolean incomplete;

  TierSyntax(Identities identities, Problems problems) {
    this.identities = identities;
    this.allowances = new AllowanceSyntax(problems);
    this.problems = problems;
  }

  /** Some tiers could not be read, which has been told; it is no wonder if they are not found. */
  void incomplete() {
    incomplete = true;
  }

  void define(Section section) {
    incomplete |= !section.isMapping();
    if (tiers.size() + section.fields().size() > MAX_TIERS) {
      String expected = "at most " + MAX_TIERS;
      problems.error(section.place(), "tiers", section.fields().size() + " tiers", expected);
      incomplete = true;
      return;
    }
    for (Node.Field field : section.fields()) {
      Node.Field first = tiers.putIfAbsent(field.key().value(), field);
      if (first != null) {
        String expected = "each name once; the first is at " + first.key().place();
        problems.error(field.key().place(), "tier", field.key().value(), expected);
      }
      if (field.key().value().isBlank()) {
        problems.error(field.key().place(), "tier", "nothing", "a name");
      }
      // Also those that no rule uses must make sense.
      allowances.read(field.value(), field.key().value(), Shape.PLAIN);
    }
  }

  /** The tiers for a rule. */
  Optional<Tiers> read(Section rule, @Nullable Algorithm algorithm, SpecialsSyntax specials) {
    Optional<Node.Text> fallback = rule.text("default-tier");
    Node by = rule.node("tier");
    if (by == null || !rule.has("default-tier")) {
      String missing = by == null ? "tier" : "default-tier";
      if (rule.lacks(missing)) {
        problems.error(rule.place(), missing, "nothing", "both tier and default-tier");
      }
      return Optional.empty();
    }
    Map<String, Allowance> allowed = read.computeIfAbsent(Shape.of(algorithm), this::read);
    Optional<String> value = Optional.empty();
    List<Special> listed = new ArrayList<>();
    if (by instanceof Node.Fields) {
      if (specials.isSingle(rule, by, "tier")) {
        table(Section.open(by, "tier", problems), null, allowed, specials, listed);
      }
    } else {
      value = Section.text(by, "tier", problems).flatMap(text -> identities.value(text, "tier"));
    }
    if (fallback.isEmpty()
        || !isKnown(fallback.get(), "default-tier")
        || allowed.size() < tiers.size()) {
      return Optional.empty();
    }
    return Optional.of(new Tiers(value.orElse(null), allowed, fallback.get().value(), listed));
  }

  /**
   * Callers and their tiers: {@code {acme: pro}}, or {@code {subject: {acme: pro}}}.
   *
   * @param way by which all of them are known; null if by any
   */
  private void table(
      Section table,
      Node.@Nullable Text way,
      Map<String, Allowance> allowed,
      SpecialsSyntax specials,
      List<Special> listed) {
    for (Node.Field field : table.fields()) {
      if (way == null && field.value() instanceof Node.Fields) {
        Section nested = Section.open(field.value(), "tier", problems);
        table(nested, field.key(), allowed, specials, listed);
        continue;
      }
      Section.text(field.value(), "tier", problems)
          .filter(tier -> isKnown(tier, "tier"))
          .map(tier -> allowed.get(tier.value()))
          .map(allowance -> specials.named(way, field.key(), "tier", allowance))
          .ifPresent(listed::addAll);
    }
  }

  private Map<String, Allowance> read(Shape shape) {
    Map<String, Allowance> allowed = new HashMap<>();
    tiers.forEach(
        (name, tier) ->
            allowances
                .read(tier.value(), name, shape)
                .ifPresent(allowance -> allowed.put(name, allowance)));
    return Map.copyOf(allowed);
  }

  private boolean isKnown(Node.Text tier, String field) {
    if (tiers.containsKey(tier.value())) {
      return true;
    }
    if (!incomplete || Words.nearest(tier.value(), tiers.keySet()).isPresent()) {
      String expected =
          tiers.isEmpty()
              ? "a tier, defined under tiers"
              : Words.expected(tier.value(), tiers.keySet());
      problems.error(tier.place(), field, tier.value(), expected);
    }
    return false;
  }
}
