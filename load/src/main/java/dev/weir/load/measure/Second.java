package dev.weir.load.measure;

/**
 * One second of a run.
 *
 * @param index seconds since the start of the run
 * @param offered requests that were due in it, sent or not
 * @param useful requests answered well in it
 * @param limited requests answered with 429 in it
 * @param shed requests turned away with 503 and Retry-After in it
 * @param failed admitted requests that failed in it, in whatever way
 * @param admitted latencies of the admitted requests that ended in it
 */
public record Second(
    int index, long offered, long useful, long limited, long shed, long failed, Latency admitted) {
  /** The same second at another place in time. */
  public Second at(int otherIndex) {
    return new Second(otherIndex, offered, useful, limited, shed, failed, admitted);
  }
}
