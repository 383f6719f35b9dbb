package dev.weir.replay.log;

import java.util.List;

/**
 * Lines that could not be read.
 *
 * @param count how many
 * @param examples the first ones, twenty at most
 */
public record BadLines(long count, List<Example> examples) {
  /**
   * A line that could not be read.
   *
   * @param file the name of the file
   * @param line the number of the line, from 1
   * @param reason what is wrong with it, and what was expected
   */
  public record Example(String file, long line, String reason) {}
}
