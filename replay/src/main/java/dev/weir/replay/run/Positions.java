package dev.weir.replay.run;

import dev.weir.replay.log.LogEntry;
import dev.weir.replay.result.LogPosition;
import java.util.List;

/**
 * Names the lines of logs. Immutable.
 *
 * @param files the names of the logs
 */
public record Positions(List<String> files) {
  /** Copies the list. */
  public Positions {
    files = List.copyOf(files);
  }

  /** The line of a request. */
  LogPosition of(LogEntry entry) {
    String file = entry.file() < files.size() ? files.get(entry.file()) : "log " + entry.file();
    return new LogPosition(file, entry.line(), entry.arrivalMicros());
  }
}
