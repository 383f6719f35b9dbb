package dev.weir.yaml;

import java.util.List;

/** Rules that make no sense, with everything that is wrong with them. */
public final class RulesRefused extends Exception {
  private static final long serialVersionUID = 1;

  private final transient List<Problem> problems;

  RulesRefused(List<Problem> problems) {
    super(String.join("\n", problems.stream().map(Problem::toString).toList()));
    this.problems = List.copyOf(problems);
  }

  /** Errors and warnings, in the order of the files. */
  public List<Problem> problems() {
    return problems;
  }
}
