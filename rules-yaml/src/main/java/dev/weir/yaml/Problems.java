package dev.weir.yaml;

import dev.weir.yaml.Problem.Severity;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Collects what is wrong, so that a reader hears of everything at once. */
final class Problems {
  private static final int MAX_VALUE = 80;
  private static final int MAX_MESSAGE = 2_000;

  /** Also what turns the direction of a line, ends it, or is half a character. */
  private static final Pattern CONTROL = Pattern.compile("[\\p{Cc}\\p{Cf}\\p{Cs}\\p{Zl}\\p{Zp}]");

  /** After so many nobody reads on; a file of garbage must not fill the memory with complaints. */
  private static final int MOST = 1_000;

  private final List<Problem> problems = new ArrayList<>();
  private final Map<Place, Place> anchors = new HashMap<>();
  private long errors;

  void error(Place place, String message) {
    add(new Problem(place, Severity.ERROR, "error", line(message)));
    errors++; // also when there was no room to keep it: nobody may use the result
  }

  /** A field has a value that was not expected. */
  void error(Place place, String field, String value, String expected) {
    error(place, shown(field) + ": " + shown(value) + " (expected: " + expected + ")");
  }

  void warning(Place place, String code, String message) {
    add(new Problem(place, Severity.WARNING, code, line(message)));
  }

  /** What is said of the anchor is not said again of the alias. */
  void alias(Place alias, Place anchor) {
    anchors.put(alias, anchor);
  }

  private void add(Problem problem) {
    boolean firstError = problem.severity() == Severity.ERROR && !hasErrors();
    if (problems.size() < MOST || firstError) {
      problems.add(problem);
    }
  }

  /** Whether there are as many as anybody reads, so that looking for more is a waste. */
  boolean isFull() {
    return hasErrors() && problems.size() >= MOST;
  }

  boolean hasErrors() {
    return errors > 0;
  }

  /** How many errors there were so far. */
  long errors() {
    return errors;
  }

  List<Problem> sorted() {
    Comparator<Problem> byPlace =
        Comparator.comparing((Problem one) -> one.place().file())
            .thenComparing(one -> one.place().line())
            .thenComparing(one -> one.place().column())
            .thenComparing(Problem::message);
    Set<Problem> all = new HashSet<>(problems);
    return problems.stream()
        .filter(one -> !all.contains(atAnchor(one)))
        .sorted(byPlace)
        .distinct()
        .toList();
  }

  private @Nullable Problem atAnchor(Problem problem) {
    Place anchor = anchors.get(problem.place());
    return anchor == null
        ? null
        : new Problem(anchor, problem.severity(), problem.code(), problem.message());
  }

  private static String line(String message) {
    String line = printable(message);
    return line.length() <= MAX_MESSAGE ? line : line.substring(0, MAX_MESSAGE) + "…";
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
