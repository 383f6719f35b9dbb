package dev.weir.rules;

import dev.weir.rules.yaml.Problem;
import java.util.List;

/** Thrown for invalid rules, with all their problems. */
public final class RulesRejected extends Exception {
  private static final long serialVersionUID = 1;

  private final transient List<Problem> problems;

  RulesRejected(List<Problem> problems) {
    super(String.join("\n", problems.stream().map(Problem::toString).toList()));
    this.problems = List.copyOf(problems);
  }

  /** Errors and warnings, in the order of the files. */
  public List<Problem> problems() {
    return problems;
  }
}
