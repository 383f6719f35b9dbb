package dev.weir.rules.yaml;

import dev.weir.rules.yaml.Problem.Severity;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Collects all errors and warnings about a set of files, to report them together. Not thread-safe.
 */
public final class Problems {
  private static final int MAX_VALUE = 80;
  private static final int MAX_MESSAGE = 2_000;

  /**
   * Control characters, and those that change direction, end a line or are half a surrogate pair.
   */
  private static final Pattern CONTROL = Pattern.compile("[\\p{Cc}\\p{Cf}\\p{Cs}\\p{Zl}\\p{Zp}]");

  /** Bounds the memory that a file of garbage can take; no reader needs more messages. */
  private static final int MAX_PROBLEMS = 1_000;

  private final List<Problem> problems = new ArrayList<>();
  private final Map<SourceLocation, SourceLocation> anchorsByAlias = new HashMap<>();
  private long errors;

  /** Adds an error. */
  public void error(SourceLocation location, String message) {
    add(new Problem(location, Severity.ERROR, "error", oneLine(message)));
    errors++; // also if the message was dropped: the result must not be used
  }

  /** Adds an error in the form {@code field: value (expected: expected)}. */
  public void error(SourceLocation location, String field, String value, String expected) {
    error(location, shown(field) + ": " + shown(value) + " (expected: " + expected + ")");
  }

  /** Adds a warning; {@code code} is one of {@link LintCodes}. */
  public void warning(SourceLocation location, String code, String message) {
    add(new Problem(location, Severity.WARNING, code, oneLine(message)));
  }

  /** Suppresses at the alias every problem that is reported at its anchor. */
  void registerAlias(SourceLocation alias, SourceLocation anchor) {
    anchorsByAlias.put(alias, anchor);
  }

  private void add(Problem problem) {
    boolean firstError = problem.severity() == Severity.ERROR && !hasErrors();
    if (problems.size() < MAX_PROBLEMS || firstError) {
      problems.add(problem);
    }
  }

  /** Whether there are errors and no room for more, so that reading on is pointless. */
  public boolean isFull() {
    return hasErrors() && problems.size() >= MAX_PROBLEMS;
  }

  /** Whether the files must be refused. */
  public boolean hasErrors() {
    return errors > 0;
  }

  /** The number of errors so far, dropped ones included. */
  public long errors() {
    return errors;
  }

  /** The problems by file, line and column, without duplicates. */
  public List<Problem> sorted() {
    Comparator<Problem> byLocation =
        Comparator.comparing((Problem one) -> one.location().file())
            .thenComparing(one -> one.location().line())
            .thenComparing(one -> one.location().column())
            .thenComparing(Problem::message);
    Set<Problem> all = new HashSet<>(problems);
    return problems.stream()
        .filter(one -> !all.contains(atAnchor(one)))
        .sorted(byLocation)
        .distinct()
        .toList();
  }

  private @Nullable Problem atAnchor(Problem problem) {
    SourceLocation anchor = anchorsByAlias.get(problem.location());
    return anchor == null
        ? null
        : new Problem(anchor, problem.severity(), problem.code(), problem.message());
  }

  private static String oneLine(String message) {
    String line = printable(message);
    return line.length() <= MAX_MESSAGE ? line : line.substring(0, MAX_MESSAGE) + "…";
  }

  /** The text with a question mark for each character that would act on a terminal. */
  public static String printable(String text) {
    return CONTROL.matcher(text).replaceAll("?");
  }

  /** A value for a message: on one line, printable, and shortened if it is long. */
  public static String shown(String value) {
    String line = printable(value);
    return line.length() <= MAX_VALUE ? line : line.substring(0, MAX_VALUE) + "…";
  }
}
