package dev.weir.yaml;

import dev.weir.yaml.Problem.Severity;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.regex.Pattern;

/** Collects what is wrong, so that a reader hears of everything at once. */
final class Problems {
  private static final int MAX_VALUE = 80;
  private static final Pattern CONTROL = Pattern.compile("\\p{Cntrl}");

  /** After so many nobody reads on; a file of garbage must not fill the memory with complaints. */
  private static final int MOST = 1_000;

  private final List<Problem> problems = new ArrayList<>();
  private boolean errors;

  void error(Place place, String message) {
    add(new Problem(place, Severity.ERROR, "error", message));
    errors = true; // also when there was no room to keep it: nobody may use the result
  }

  /** A field has a value that was not expected. */
  void error(Place place, String field, String value, String expected) {
    error(place, field + ": " + shown(value) + " (expected: " + expected + ")");
  }

  void warning(Place place, String code, String message) {
    add(new Problem(place, Severity.WARNING, code, message));
  }

  private void add(Problem problem) {
    boolean firstError = problem.severity() == Severity.ERROR && !errors;
    if (problems.size() < MOST || firstError) {
      problems.add(problem);
    }
  }

  /** Whether there are as many as anybody reads, so that looking for more is a waste. */
  boolean isFull() {
    return errors && problems.size() >= MOST;
  }

  boolean hasErrors() {
    return errors;
  }

  List<Problem> sorted() {
    Comparator<Problem> byPlace =
        Comparator.comparing((Problem one) -> one.place().file())
            .thenComparing(one -> one.place().line())
            .thenComparing(one -> one.place().column())
            .thenComparing(Problem::message);
    return problems.stream().sorted(byPlace).distinct().toList();
  }

  static String printable(String text) {
    return CONTROL.matcher(text).replaceAll("?");
  }

  /** A value on one line, without characters that would act on a terminal, and not too long. */
  static String shown(String value) {
    String line = printable(value);
    return line.length() <= MAX_VALUE ? line : line.substring(0, MAX_VALUE) + "…";
  }
}
