package dev.weir.replay.log.table;

import dev.weir.replay.log.line.LineParser;
import dev.weir.replay.log.line.LogFormat;

/**
 * Logs whose first lines name their columns: W3C extended, as of IIS, and CloudFront.
 *
 * @param name by which errors speak of it
 */
public record TableFormat(String name) implements LogFormat {
  @Override
  public LineParser parser() {
    return new TableParser();
  }
}
