package dev.weir.rules.syntax;

import dev.weir.Algorithm;
import dev.weir.rule.Allowance;
import dev.weir.rule.CallerOverride;
import dev.weir.rule.Tiers;
import dev.weir.rules.syntax.LimitSyntax.LimitOptions;
import dev.weir.rules.yaml.Problems;
import dev.weir.rules.yaml.Section;
import dev.weir.rules.yaml.Spelling;
import dev.weir.rules.yaml.YamlNode;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Reads {@code tiers}, and the tiers of a rule. Not thread-safe. */
public final class TierSyntax {
  /** A bound, since every rule with tiers compiles all of them. */
  private static final int MAX_TIERS = 1_000;

  private final Map<String, YamlNode.Field> tiers = new LinkedHashMap<>();
  private final Map<LimitOptions, Map<String, Allowance>> read = new HashMap<>();
  private final IdentitySyntax identities;
  private final AllowanceSyntax allowances;
  private final Problems problems;
  private boolean incomplete;

  /** A reader without tiers. */
  public TierSyntax(IdentitySyntax identities, Problems problems) {
    this.identities = identities;
    this.allowances = new AllowanceSyntax(problems);
    this.problems = problems;
  }

  /** Suppresses errors for unknown tiers, since the definition of some could not be read. */
  public void markIncomplete() {
    incomplete = true;
  }

  /** Adds the tiers of a {@code tiers} section. */
  public void define(Section section) {
    incomplete |= !section.isMapping();
    if (tiers.size() + section.fields().size() > MAX_TIERS) {
      String expected = "at most " + MAX_TIERS;
      problems.error(section.location(), "tiers", section.fields().size() + " tiers", expected);
      incomplete = true;
      return;
    }
    for (YamlNode.Field field : section.fields()) {
      YamlNode.Field first = tiers.putIfAbsent(field.key().value(), field);
      if (first != null) {
        String expected = "each name once; the first is at " + first.key().location();
        problems.error(field.key().location(), "tier", field.key().value(), expected);
      }
      if (field.key().value().isBlank()) {
        problems.error(field.key().location(), "tier", "nothing", "a name");
      }
      // Tiers that no rule uses must be valid, too.
      allowances.read(field.value(), field.key().value(), LimitOptions.NONE);
    }
  }

  /** The tiers of a rule; empty if invalid. */
  Optional<Tiers> read(Section rule, @Nullable Algorithm algorithm, OverrideSyntax overrides) {
    Optional<YamlNode.Text> fallback = rule.text("default-tier");
    YamlNode by = rule.node("tier");
    if (by == null || !rule.has("default-tier")) {
      String missing = by == null ? "tier" : "default-tier";
      if (rule.lacks(missing)) {
        problems.error(rule.location(), missing, "nothing", "both tier and default-tier");
      }
      return Optional.empty();
    }
    Map<String, Allowance> allowed = read.computeIfAbsent(LimitOptions.of(algorithm), this::read);
    Optional<String> value = Optional.empty();
    List<CallerOverride> listed = new ArrayList<>();
    if (by instanceof YamlNode.Fields) {
      if (overrides.requireSinglePart(rule, by, "tier")) {
        readTable(Section.open(by, "tier", problems), null, allowed, overrides, listed);
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
   * Reads callers and their tiers: {@code {acme: pro}}, or {@code {subject: {acme: pro}}}.
   *
   * @param alternative the part of the identity that has the values; null for any
   */
  private void readTable(
      Section table,
      YamlNode.@Nullable Text alternative,
      Map<String, Allowance> allowed,
      OverrideSyntax overrides,
      List<CallerOverride> listed) {
    for (YamlNode.Field field : table.fields()) {
      if (alternative == null && field.value() instanceof YamlNode.Fields) {
        Section nested = Section.open(field.value(), "tier", problems);
        readTable(nested, field.key(), allowed, overrides, listed);
        continue;
      }
      Section.text(field.value(), "tier", problems)
          .filter(tier -> isKnown(tier, "tier"))
          .map(tier -> allowed.get(tier.value()))
          .map(allowance -> overrides.forValue(alternative, field.key(), "tier", allowance))
          .ifPresent(listed::addAll);
    }
  }

  private Map<String, Allowance> read(LimitOptions options) {
    Map<String, Allowance> allowed = new HashMap<>();
    tiers.forEach(
        (name, tier) ->
            allowances
                .read(tier.value(), name, options)
                // An object for each tier, by which a caller's tier is known.
                .map(one -> new Allowance(one.blocked(), one.limits()))
                .ifPresent(allowance -> allowed.put(name, allowance)));
    return Map.copyOf(allowed);
  }

  private boolean isKnown(YamlNode.Text tier, String field) {
    if (tiers.containsKey(tier.value())) {
      return true;
    }
    if (!incomplete || Spelling.nearest(tier.value(), tiers.keySet()).isPresent()) {
      String expected =
          tiers.isEmpty()
              ? "a tier, defined under tiers"
              : Spelling.expected(tier.value(), tiers.keySet());
      problems.error(tier.location(), field, tier.value(), expected);
    }
    return false;
  }
}
