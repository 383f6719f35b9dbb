package dev.weir.replay.result;

import dev.weir.replay.log.BadLines;
import java.util.List;

/**
 * What was replayed.
 *
 * @param files the names of the logs
 * @param requests how many requests were replayed
 * @param lines what the lines of the logs were
 * @param timestamps how exactly the log tells when requests arrived
 * @param pastDenials what the log says of denials in the past
 * @param withDuration how many of the requests have a duration
 * @param timeline requests over time
 */
public record LogResult(
    List<String> files,
    long requests,
    Lines lines,
    Timestamps timestamps,
    PastDenials pastDenials,
    long withDuration,
    Timeline timeline) {
  /** Copies the list. */
  public LogResult {
    files = List.copyOf(files);
  }

  /**
   * What the lines of logs were.
   *
   * @param read how many there are
   * @param skipped how many record no request, such as empty lines and directives
   * @param late how many came too late in their log to be put where they belong in time
   * @param bad those that could not be read
   */
  public record Lines(long read, long skipped, long late, BadLines bad) {}

  /**
   * How exactly a log tells when requests arrived.
   *
   * @param firstMicros when the first request arrived, in microseconds since 1970
   * @param lastMicros when the last request arrived
   * @param resolutionMicros the coarsest resolution of any line
   * @param spreads the spreads that were tried; {@link Spread#START} alone where the log is fine
   *     enough
   * @param seed of the random spread
   */
  public record Timestamps(
      long firstMicros, long lastMicros, long resolutionMicros, List<Spread> spreads, long seed) {
    /** Copies the list. */
    public Timestamps {
      spreads = List.copyOf(spreads);
    }
  }

  /**
   * What a log says of denials in the past.
   *
   * @param denied how many requests were answered with 429
   * @param retries how many requests probably repeated such a request
   * @param dropped whether the retries were left out
   */
  public record PastDenials(long denied, long retries, boolean dropped) {}
}
