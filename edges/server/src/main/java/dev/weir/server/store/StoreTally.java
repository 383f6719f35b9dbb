package dev.weir.server.store;

import dev.weir.rule.FailureMode;
import dev.weir.server.reply.DegradedCounters;
import dev.weir.shared.fallback.LocalFallback;
import dev.weir.shared.fleet.Fleet;
import java.util.concurrent.TimeUnit;

/**
 * The counts at one moment, to be compared with those at another.
 *
 * @param degraded requests decided without the store
 * @param settled permits granted locally that were charged to the store afterwards
 * @param lost permits granted locally that may never be charged to the store
 * @param forgotten how often the store came back empty
 * @param announced how often the server announced itself, by which it learns that
 */
record StoreTally(
    long nanos, Degraded degraded, long settled, long lost, int forgotten, int announced) {
  /** Requests decided without the store, by failure mode. */
  record Degraded(long allowed, long denied, long local) {
    private Degraded minus(Degraded before) {
      return new Degraded(allowed - before.allowed, denied - before.denied, local - before.local);
    }

    private long requests() {
      return allowed + denied + local;
    }
  }

  static StoreTally of(long nanos, DegradedCounters degraded, LocalFallback fallback, Fleet fleet) {
    return new StoreTally(
        nanos,
        new Degraded(
            degraded.count(FailureMode.ALLOW),
            degraded.count(FailureMode.DENY),
            degraded.count(FailureMode.LOCAL)),
        fallback.settled(),
        fallback.lost(),
        fleet.dataLosses(),
        fleet.updates());
  }

  /** A copy with another time. */
  StoreTally at(long otherNanos) {
    return new StoreTally(otherNanos, degraded, settled, lost, forgotten, announced);
  }

  /** A copy with as many announcements as another tally. */
  StoreTally announcedAs(StoreTally other) {
    return new StoreTally(nanos, degraded, settled, lost, forgotten, other.announced);
  }

  /** Whether the store has lost its counters in between. */
  boolean cameBackEmpty(StoreTally before) {
    return forgotten > before.forgotten;
  }

  /**
   * Summarizes for operators what happened in between.
   *
   * @param pending the keys whose local grants are not yet charged to the store
   * @param knowsMemory whether the store reports that it has lost its counters
   */
  String since(StoreTally before, int pending, boolean knowsMemory) {
    StringBuilder text = new StringBuilder();
    Degraded decided = degraded.minus(before.degraded);
    text.append("after ").append(seconds(nanos - before.nanos));
    text.append("; decided without it: ").append(decided.requests()).append(" requests (allowed: ");
    text.append(decided.allowed).append(", denied: ").append(decided.denied);
    text.append(", counted locally: ").append(decided.local);
    text.append("); charged back: ").append(settled - before.settled).append(" permits");
    if (pending > 0) {
      text.append(", of ").append(pending).append(" keys not yet");
    }
    if (lost > before.lost) {
      text.append(", perhaps never: ").append(lost - before.lost).append(" permits");
    }
    return text.append("; ").append(memory(before, knowsMemory)).toString();
  }

  private String memory(StoreTally before, boolean knowsMemory) {
    if (cameBackEmpty(before)) {
      return "it came back empty, so its counters begin anew";
    }
    return knowsMemory && announced > before.announced
        ? "it kept its counters"
        : "whether it kept its counters is not known";
  }

  private static String seconds(long nanos) {
    long tenths = TimeUnit.NANOSECONDS.toMillis(nanos) / 100;
    return tenths / 10 + "." + tenths % 10 + " s";
  }
}
