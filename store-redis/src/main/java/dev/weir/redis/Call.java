package dev.weir.redis;

/** A batch, as one of the scripts is asked about it and answers. */
interface Call {
  Script script();

  Batch batch();

  /**
   * What is told besides the names of the counters.
   *
   * @param givenMicros the time to count by, or 0 for the time of Redis
   * @param keptMillis how much longer than needed counters are kept
   */
  byte[][] arguments(long givenMicros, long keptMillis);

  /** Gives each request its decision. */
  void complete(byte[] answer);
}
