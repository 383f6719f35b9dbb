package dev.weir.replay.log;

import java.io.Closeable;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The requests of one or several logs, in the order of their arrival. For one thread.
 *
 * <p>Lines that cannot be read are counted and skipped, see {@link #badLines}.
 */
public interface LogSource extends Closeable {
  /**
   * The next request; null at the end.
   *
   * @throws IOException if a file cannot be read further, with its name
   */
  @Nullable LogEntry next() throws IOException;

  /** What has been read so far. */
  LogProgress progress();

  /** The lines that could not be read so far. */
  BadLines badLines();

  /**
   * How many lines so far record no request: empty ones, directives, and connections on which no
   * request came. All lines are requests, bad or skipped.
   */
  default long skippedLines() {
    return 0;
  }

  /** The names of the files' formats, in the order of the files. */
  default List<String> formats() {
    return List.of();
  }

  /**
   * How many requests so far came too late in their log to be put where they belong; they arrive as
   * early as is still possible.
   */
  default long lateLines() {
    return 0;
  }
}
