package dev.weir.simulation;

import dev.weir.Algorithm;
import dev.weir.Claim;
import dev.weir.Limit;
import dev.weir.Mode;
import dev.weir.rule.Rule;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** What is known from outside about one counter: all that passed, was counted, and given back. */
final class Account {
  final String label;
  final Group group;
  final Rule rule;
  final Limit limit;
  final Mode mode;
  final List<Entry> history = new ArrayList<>();

  /** What servers may hold of it in advance, each by the number of servers that it was told. */
  long mayHold;

  /** The most that servers which take requests might hold of it, all together. */
  long mostHeld;

  /** What is on its way back to the store. */
  long returning;

  /** Spent by servers for requests that are not decided yet. */
  long undecided;

  /** How often something was counted by the store, for clients or in advance. */
  long spends;

  /** When something was last given back to the store. */
  long givenNanos = Long.MIN_VALUE / 2;

  /** Where no other rule is asked with it. */
  final @Nullable Courtesy courtesy;

  /** What polite clients were denied that the store answered. */
  final List<Denial> politelyDenied = new ArrayList<>();

  /**
   * @param askedMicros when it was asked, by the store's clock
   */
  record Denial(long nanos, long askedMicros, long cost) {}

  /**
   * Something that happened to the counter.
   *
   * @param checked whether the limit must have had room for it
   * @param slack what servers might hold beyond it, from then on
   * @param message what the store did, if it was the store
   * @param anew whether time begins anew, because a clock was set back
   */
  record Entry(
      long nanos,
      long micros,
      long amount,
      long permit,
      boolean checked,
      long slack,
      @Nullable Message message,
      boolean anew) {}

  Account(String label, Group group, Rule rule, Claim claim, Function<Limit, Courtesy> courtesies) {
    this.label = label;
    this.group = group;
    this.rule = rule;
    this.limit = claim.limit();
    this.mode = claim.mode();
    boolean alone = group.rules().size() == 1 && limit.algorithm() != Algorithm.CONCURRENCY;
    this.courtesy = alone ? courtesies.apply(limit) : null;
  }

  boolean leases() {
    return mode.leases();
  }

  /** What all servers together may hold in advance. */
  long share() {
    return limit.capacity() * mode.share() / Mode.WHOLE;
  }

  void enter(long nanos, long micros, long amount, boolean checked) {
    enter(nanos, micros, amount, 0, checked, null);
  }

  void enter(
      long nanos,
      long micros,
      long amount,
      long permit,
      boolean checked,
      @Nullable Message message) {
    history.add(new Entry(nanos, micros, amount, permit, checked, slack(), message, false));
  }

  /** From now on windows are followed that begin later. */
  void beginAnew(long nanos, long micros) {
    history.add(new Entry(nanos, micros, 0, 0, false, slack(), null, true));
  }

  private long slack() {
    return leases() ? mayHold + returning + undecided : 0;
  }

  @Override
  public String toString() {
    return label;
  }
}
