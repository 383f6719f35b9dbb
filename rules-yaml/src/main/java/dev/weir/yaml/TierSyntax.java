package dev.weir.yaml;

import dev.weir.Algorithm;
import dev.weir.rule.Allowance;
import dev.weir.rule.Tiers;
import dev.weir.yaml.LimitSyntax.Shape;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Reads {@code tiers}, and what a rule makes of them. */
final class TierSyntax {
  private final Map<String, Node.Field> tiers = new LinkedHashMap<>();
  private final Identities identities;
  private final AllowanceSyntax allowances;
  private final Problems problems;

  TierSyntax(Identities identities, Problems problems) {
    this.identities = identities;
    this.allowances = new AllowanceSyntax(problems);
    this.problems = problems;
  }

  void define(Section section) {
    for (Node.Field field : section.fields()) {
      Node.Field first = tiers.putIfAbsent(field.key().value(), field);
      if (first != null) {
        String expected = "each name once; the first is at " + first.key().place();
        problems.error(field.key().place(), "tier", field.key().value(), expected);
      }
      // Also those that no rule uses must make sense.
      allowances.read(field.value(), field.key().value(), Shape.PLAIN);
    }
  }

  Optional<Tiers> read(Section rule, @Nullable Algorithm algorithm) {
    Optional<Node.Text> fallback = rule.text("default-tier");
    Node by = rule.node("tier");
    if (by == null || !rule.has("default-tier")) {
      String missing = by == null ? "tier" : "default-tier";
      problems.error(rule.place(), missing, "nothing", "both tier and default-tier");
      return Optional.empty();
    }
    Optional<String> value = Optional.empty();
    Map<String, String> callers = new HashMap<>();
    if (by instanceof Node.Fields) {
      for (Node.Field field : Section.open(by, "tier", problems).fields()) {
        Section.text(field.value(), "tier", problems)
            .filter(this::isKnown)
            .ifPresent(tier -> callers.put(field.key().value(), tier.value()));
      }
    } else {
      value = Section.text(by, "tier", problems).flatMap(text -> identities.value(text, "tier"));
    }
    Map<String, Allowance> allowed = new HashMap<>();
    for (Map.Entry<String, Node.Field> tier : tiers.entrySet()) {
      Shape shape = new Shape(algorithm, null, null);
      allowances
          .read(tier.getValue().value(), tier.getKey(), shape)
          .ifPresent(allowance -> allowed.put(tier.getKey(), allowance));
    }
    if (fallback.isEmpty() || !isKnown(fallback.get()) || allowed.size() < tiers.size()) {
      return Optional.empty();
    }
    return Optional.of(new Tiers(value.orElse(null), callers, allowed, fallback.get().value()));
  }

  private boolean isKnown(Node.Text tier) {
    if (tiers.containsKey(tier.value())) {
      return true;
    }
    String expected =
        tiers.isEmpty()
            ? "a tier, defined under tiers"
            : Words.expected(tier.value(), tiers.keySet());
    problems.error(tier.place(), "tier", tier.value(), expected);
    return false;
  }
}
