package dev.weir.redis.fault;

import dev.weir.StoreFailure.Effect;

/**
 * The outcome of one request.
 *
 * @param claim the index of its claim
 * @param failure the message of the failure; empty if there is a decision
 * @param effect the effect of the failure
 */
record Outcome(
    int claim, long startNanos, long endNanos, boolean allowed, String failure, Effect effect) {
  boolean isDecided() {
    return failure.isEmpty();
  }

  boolean isUnknown() {
    return !isDecided() && effect == Effect.UNKNOWN;
  }

  long nanos() {
    return endNanos - startNanos;
  }
}
