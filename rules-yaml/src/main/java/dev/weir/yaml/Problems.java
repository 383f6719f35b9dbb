package dev.weir.yaml;

import dev.weir.yaml.Problem.Severity;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** Collects what is wrong, so that a reader hears of everything at once. */
final class Problems {
  private static final int MAX_VALUE = 80;

  /** After so many nobody reads on; a file of garbage must not fill the memory with complaints. */
  private static final int MOST = 1_000;

  private final List<Problem> problems = new ArrayList<>();

  void error(Place place, String message) {
    add(new Problem(place, Severity.ERROR, "error", message));
  }

  /** A field has a value that was not expected. */
  void error(Place place, String field, String value, String expected) {
    error(place, field + ": " + shown(value) + " (expected: " + expected + ")");
  }

  void warning(Place place, String code, String message) {
    add(new Problem(place, Severity.WARNING, code, message));
  }

  private void add(Problem problem) {
    if (problems.size() < MOST) {
      problems.add(problem);
    }
  }

  boolean hasErrors() {
    return problems.stream().anyMatch(one -> one.severity() == Severity.ERROR);
  }

  List<Problem> sorted() {
    Comparator<Problem> byPlace =
        Comparator.comparing((Problem one) -> one.place().file())
            .thenComparing(one -> one.place().line())
            .thenComparing(one -> one.place().column());
    return problems.stream().sorted(byPlace).distinct().toList();
  }

  static String printable(String text) {
    return text.replaceAll("\\p{Cntrl}", "?");
  }

  /** A value on one line, without characters that would act on a terminal, and not too long. */
  static String shown(String value) {
    String line = printable(value);
    return line.length() <= MAX_VALUE ? line : line.substring(0, MAX_VALUE) + "…";
  }
}
