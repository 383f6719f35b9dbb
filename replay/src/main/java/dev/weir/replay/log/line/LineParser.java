package dev.weir.replay.log.line;

/** Finds the fields of one line after another. For one thread. */
public interface LineParser {
  /**
   * Finds the fields of a line.
   *
   * @return whether the line has the form of the format; {@link Draft#problem} says why not
   */
  boolean parse(Draft draft);

  /** The headers that the lines have so far. */
  HeaderNames headers();
}
