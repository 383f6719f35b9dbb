package dev.weir.simulation;

import dev.weir.Answer;
import dev.weir.Store;
import dev.weir.Ticker;
import dev.weir.guard.Roster;
import dev.weir.guard.Timers;
import dev.weir.rule.Match;
import java.util.function.Function;
import java.util.function.Supplier;

/** Where the parts of a server meet, so that a bug can be put in between to see it found. */
class Seams {
  /** As it should be. */
  static final Seams SOUND = new Seams();

  /** Between clients and the limiter. */
  Function<Match, Answer> front(Function<Match, Answer> limiter) {
    return limiter;
  }

  /** Between the limiter and what serves each claim in its mode. */
  Store modes(Store byMode, Timers timers) {
    return byMode;
  }

  /** Between the guard and the network. */
  Store link(Store link) {
    return link;
  }

  /** Between leases and the guard. */
  Store guarded(Store guarded) {
    return guarded;
  }

  /** Between what is owed and the store it is charged to. */
  Store settling(Store store) {
    return store;
  }

  /** What the store itself does. */
  Store store(Store store) {
    return store;
  }

  Roster roster(Roster roster) {
    return roster;
  }

  /**
   * @param wall the clock on the wall of the server
   */
  Timers timers(Timers timers, Ticker wall) {
    return timers;
  }

  /** The clock by which what is owed flows back. */
  Ticker debtClock(Ticker wall, Timers timers) {
    return wall;
  }

  /**
   * @param own the clock of the store
   * @param asking the clock of the server that asks at the moment
   */
  Ticker storeClock(Ticker own, Supplier<Ticker> asking) {
    return own;
  }
}
