package dev.weir.server.action;

import dev.weir.rules.action.Adjustment;
import dev.weir.server.access.Operator;
import java.time.Instant;
import java.util.Optional;

/**
 * What an operator does to a rule or a caller for a while. Immutable and thread-safe.
 *
 * @param adjustment what it does to the rules
 * @param why in the words of the operator
 * @param taken who took it, and when
 * @param until when it ends by itself, by the clock of the server that took it
 * @param undone who ended it before that, and when
 */
public record Action(
    Adjustment adjustment, String why, Stamp taken, Instant until, Optional<Stamp> undone) {

  /**
   * Who did something, and when.
   *
   * @param by the name of the operator
   * @param address that the operator used
   * @param at by the clock of the server that was asked
   */
  public record Stamp(String by, String address, Instant at) {
    /** What an operator does now. */
    public static Stamp of(Operator who, Instant now) {
      return new Stamp(who.name(), who.address(), now);
    }
  }

  /** Identifies the action on all servers. */
  public String id() {
    return adjustment.id();
  }

  /** Whether nobody has undone it. */
  boolean isWanted() {
    return undone.isEmpty();
  }

  /** This action, undone. */
  Action undoneBy(Stamp stamp) {
    return new Action(adjustment, why, taken, until, Optional.of(stamp));
  }

  /** The order in which actions were taken, the same on all servers. */
  static int compareByTime(Action one, Action other) {
    int byTime = one.taken.at().compareTo(other.taken.at());
    return byTime != 0 ? byTime : one.id().compareTo(other.id());
  }
}
