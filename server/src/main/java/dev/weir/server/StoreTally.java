package dev.weir.server;

import dev.weir.guard.Fleet;
import dev.weir.guard.Standby;
import dev.weir.rule.Rule.WhenStoreFails;
import dev.weir.server.stats.Ways;
import java.util.concurrent.TimeUnit;

/**
 * What had happened by some moment, to be compared with another one.
 *
 * @param allowed requests decided without the store, by what became of them
 * @param settled permits granted without the store that were charged to it afterwards
 * @param lost permits of which it may never hear
 * @param forgotten how often the store came back empty
 * @param announced how often that was asked
 */
record StoreTally(
    long nanos,
    long allowed,
    long denied,
    long local,
    long settled,
    long lost,
    int forgotten,
    int announced) {

  static StoreTally of(long nanos, Ways ways, Standby standby, Fleet fleet) {
    return new StoreTally(
        nanos,
        ways.count(WhenStoreFails.ALLOW),
        ways.count(WhenStoreFails.DENY),
        ways.count(WhenStoreFails.LOCAL),
        standby.settled(),
        standby.lost(),
        fleet.forgotten(),
        fleet.announced());
  }

  /** The same with another time. */
  StoreTally at(long otherNanos) {
    return new StoreTally(otherNanos, allowed, denied, local, settled, lost, forgotten, announced);
  }

  /** The same, as if the store had been asked as often as in another one. */
  StoreTally announcedAs(StoreTally other) {
    return new StoreTally(nanos, allowed, denied, local, settled, lost, forgotten, other.announced);
  }

  /** Whether the store said in between that it has forgotten everything. */
  boolean cameBackEmpty(StoreTally before) {
    return forgotten > before.forgotten;
  }

  /**
   * What happened in between, for people.
   *
   * @param pending counters of which the store is still to be told
   * @param knowsMemory whether the store says when it has forgotten everything
   */
  String since(StoreTally before, int pending, boolean knowsMemory) {
    StringBuilder text = new StringBuilder();
    long requests = allowed + denied + local - before.allowed - before.denied - before.local;
    text.append("after ").append(seconds(nanos - before.nanos));
    text.append("; decided without it: ").append(requests).append(" requests (allowed: ");
    text.append(allowed - before.allowed).append(", denied: ").append(denied - before.denied);
    text.append(", counted locally: ").append(local - before.local);
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
