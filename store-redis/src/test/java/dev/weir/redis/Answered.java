package dev.weir.redis;

import dev.weir.StoreFailure.Effect;
import java.util.Comparator;
import java.util.List;

/**
 * What one caller was told, and when.
 *
 * @param failure why there is no decision; empty if there is one
 */
record Answered(
    int claim, long startNanos, long endNanos, boolean allowed, String failure, Effect effect) {
  boolean decided() {
    return failure.isEmpty();
  }

  boolean unknown() {
    return !decided() && effect == Effect.UNKNOWN;
  }

  /** How long each took, the shortest first. */
  static long[] nanos(List<Answered> all) {
    return all.stream().mapToLong(one -> one.endNanos - one.startNanos).sorted().toArray();
  }

  /** The five that took longest, for people. */
  static String slowest(List<Answered> all) {
    return all.stream()
        .sorted(Comparator.comparingLong(one -> one.startNanos - one.endNanos))
        .limit(5)
        .map(
            one ->
                "%.1f ms after %.1f ms: %s"
                    .formatted(
                        (one.endNanos - one.startNanos) / 1e6,
                        (one.startNanos - all.get(0).startNanos) / 1e6,
                        one.decided() ? "decided" : one.failure))
        .toList()
        .toString();
  }
}
