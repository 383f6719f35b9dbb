package dev.weir.rules.yaml;

/**
 * An error or a warning about a location in a rules file.
 *
 * @param severity whether the file is refused
 * @param code a short name for the kind of problem, by which a warning can be ignored
 * @param message for people, on one line
 */
public record Problem(SourceLocation location, Severity severity, String code, String message) {

  /** Whether the file can be used. */
  public enum Severity {
    /** The file is refused. */
    ERROR,
    /** The file works, though perhaps not as intended. */
    WARNING
  }

  /** As in {@code file:line:column: message}, with the code of a warning at the end. */
  @Override
  public String toString() {
    String warning = severity == Severity.WARNING ? "warning: " : "";
    String suffix = severity == Severity.WARNING ? " [" + code + "]" : "";
    return location + ": " + warning + message + suffix;
  }
}
