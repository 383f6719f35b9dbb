package dev.weir.rules.syntax;

import dev.weir.Algorithm;
import dev.weir.Limit;
import dev.weir.Mode;
import dev.weir.Mode.Kind;
import dev.weir.rule.Percent;
import dev.weir.rule.Rule;
import dev.weir.rules.yaml.Problems;
import dev.weir.rules.yaml.Section;
import dev.weir.rules.yaml.SourceLocation;
import dev.weir.rules.yaml.YamlNode;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;

/** Reads {@code mode} and {@code share}: how exactly servers share the limits of a rule. */
final class ModeSyntax {
  static final Map<String, Kind> MODES =
      Map.of(
          "strict", Kind.STRICT,
          "leased", Kind.LEASED,
          "automatic", Kind.AUTOMATIC,
          "local", Kind.LOCAL);

  private static final String SHARE_IS =
      "what servers may hold in advance of a leased limit, or what each keeps to of a local one";

  private final Problems problems;

  ModeSyntax(Problems problems) {
    this.problems = problems;
  }

  Mode read(Section rule) {
    Optional<Kind> configured = rule.choice("mode", MODES);
    Kind kind = configured.orElse(Kind.STRICT);
    Mode defaults =
        switch (kind) {
          case STRICT -> Mode.STRICT;
          case LEASED -> Mode.leased();
          case AUTOMATIC -> Mode.automatic();
          case LOCAL -> Mode.local();
        };
    Optional<YamlNode.Text> share = rule.text("share");
    if (share.isEmpty() || (configured.isEmpty() && !rule.lacks("mode"))) {
      return defaults;
    }
    if (kind == Kind.STRICT) {
      String expected = "mode leased, automatic or local beside it; it is " + SHARE_IS;
      problems.error(share.get().location(), "share", share.get().value(), expected);
      return defaults;
    }
    OptionalInt hundredths = Percent.parse(share.get().value());
    if (hundredths.isEmpty() || hundredths.getAsInt() < 1 || hundredths.getAsInt() > Mode.WHOLE) {
      String expected = "a share above 0% and at most 100%, such as 5% or 0.5%";
      problems.error(share.get().location(), "share", share.get().value(), expected);
      return defaults;
    }
    return new Mode(kind, hundredths.getAsInt());
  }

  /** Refuses a mode that suits none of the rule's limits. */
  void check(Rule rule, Section section) {
    List<Algorithm> algorithms =
        rule.allowances().stream()
            .flatMap(allowance -> allowance.limits().stream())
            .map(Limit::algorithm)
            .toList();
    if (!algorithms.isEmpty() && algorithms.stream().noneMatch(rule.mode()::supports)) {
      YamlNode node = section.node("mode");
      SourceLocation location = node == null ? section.location() : node.location();
      String expected =
          "strict or local, since concurrent permits and queue slots cannot be leased";
      problems.error(location, "mode", node == null ? "nothing" : node.kind(), expected);
    }
  }
}
