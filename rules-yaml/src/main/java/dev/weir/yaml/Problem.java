package dev.weir.yaml;

/**
 * Something wrong, or doubtful, in a rules file.
 *
 * @param code a short name for the kind of problem, by which a warning can be ignored
 */
public record Problem(Place place, Severity severity, String code, String message) {

  /** Whether the file can be used. */
  public enum Severity {
    /** The file is refused. */
    ERROR,
    /** The file works, though perhaps not as meant. */
    WARNING
  }

  @Override
  public String toString() {
    String warning = severity == Severity.WARNING ? "warning: " : "";
    String suffix = severity == Severity.WARNING ? " [" + code + "]" : "";
    return place + ": " + warning + message + suffix;
  }
}
