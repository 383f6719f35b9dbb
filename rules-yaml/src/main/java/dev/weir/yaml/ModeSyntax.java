package dev.weir.yaml;

import dev.weir.Algorithm;
import dev.weir.Limit;
import dev.weir.Mode;
import dev.weir.Mode.Kind;
import dev.weir.rule.Percent;
import dev.weir.rule.Rule;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;

/** Reads {@code mode} and {@code share}: how exactly servers keep the limits of a rule together. */
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
    Optional<Kind> told = rule.choice("mode", MODES);
    Kind kind = told.orElse(Kind.STRICT);
    Mode usual =
        switch (kind) {
          case STRICT -> Mode.STRICT;
          case LEASED -> Mode.leased();
          case AUTOMATIC -> Mode.automatic();
          case LOCAL -> Mode.local();
        };
    Optional<Node.Text> share = rule.text("share");
    if (share.isEmpty() || (told.isEmpty() && !rule.lacks("mode"))) {
      return usual;
    }
    if (kind == Kind.STRICT) {
      String expected = "mode leased, automatic or local beside it; it is " + SHARE_IS;
      problems.error(share.get().place(), "share", share.get().value(), expected);
      return usual;
    }
    OptionalInt hundredths = Percent.parse(share.get().value());
    if (hundredths.isEmpty() || hundredths.getAsInt() < 1 || hundredths.getAsInt() > Mode.WHOLE) {
      String expected = "a share above 0% and at most 100%, such as 5% or 0.5%";
      problems.error(share.get().place(), "share", share.get().value(), expected);
      return usual;
    }
    return new Mode(kind, hundredths.getAsInt());
  }

  /** Refuses to lease what has no limit that can be. */
  void check(Rule rule, Section section) {
    List<Algorithm> algorithms =
        rule.allowances().stream()
            .flatMap(allowance -> allowance.limits().stream())
            .map(Limit::algorithm)
            .toList();
    if (!algorithms.isEmpty() && algorithms.stream().noneMatch(rule.mode()::suits)) {
      Node node = section.node("mode");
      Place place = node == null ? section.place() : node.place();
      String expected = "strict or local, since a place in flight or in a queue cannot be leased";
      problems.error(place, "mode", node == null ? "nothing" : node.kind(), expected);
    }
  }
}
