package dev.weir.server.otlp;

/**
 * What became of a message to the collector.
 *
 * @param result whether it arrived
 * @param detail why it did not, or why a part was rejected; else empty
 * @param rejected the number of spans or data points that the collector did not take
 * @param retryMillis how long the collector asks to wait before a retry; 0 if it does not say
 */
record Sent(Result result, String detail, long rejected, long retryMillis) {
  /** Whether a message arrived. */
  enum Result {
    /** The collector took it, perhaps not all of it. */
    ARRIVED,
    /** It may arrive if it is sent again. */
    RETRY,
    /** The collector does not want it. */
    REFUSED
  }

  static Sent retry(String detail, long retryMillis) {
    return new Sent(Result.RETRY, detail, 0, retryMillis);
  }
}
