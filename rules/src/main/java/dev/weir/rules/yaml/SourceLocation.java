package dev.weir.rules.yaml;

/**
 * A position in a file.
 *
 * @param file its name in messages
 * @param line from 1
 * @param column from 1
 */
public record SourceLocation(String file, int line, int column) {
  /** As in {@code file:line:column}. */
  @Override
  public String toString() {
    return file + ":" + line + ":" + column;
  }
}
