package dev.weir.redis.batch;

import dev.weir.redis.script.Script;

/** A call of one of the scripts for a batch: its arguments, and how its reply is read. */
interface Call {
  Script script();

  Batch batch();

  /**
   * The arguments of the script, besides its keys.
   *
   * @param nowMicros the time to count by, or 0 for the time of Redis
   * @param extraTtlMillis how long a counter is kept after it is as if never used
   */
  byte[][] arguments(long nowMicros, long extraTtlMillis);

  /** Completes each request with its decision from the reply. */
  void complete(byte[] reply);
}
