package dev.weir.replay.log;

import dev.weir.http.request.HttpRequest;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * One request that a log records. It is the {@link HttpRequest} that a limiter would have seen, as
 * far as the log tells: headers that the log does not have are absent.
 *
 * <p>Immutable, and safe for use by any number of threads.
 */
public interface LogEntry extends HttpRequest {
  /** The earliest moment at which the request may have arrived, in microseconds since 1970. */
  long arrivalMicros();

  /**
   * How many microseconds later than {@link #arrivalMicros} the request may have arrived,
   * exclusive: 1,000,000 for a log in seconds, 1 for one in microseconds.
   */
  long resolutionMicros();

  /** How long the request took, in microseconds; empty if the log does not tell. */
  OptionalLong durationMicros();

  /** The status of the response; 0 if the log does not tell. */
  int status();

  /**
   * What the log records besides, under its own name for it: a variable of {@code log_format}, or a
   * field of a JSON object. Null if it does not have it.
   */
  @Nullable String field(String name);

  /** The number of the file among those that are read, from 0. */
  int file();

  /** The number of the line in its file, from 1. */
  long line();
}
