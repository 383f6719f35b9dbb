package dev.weir.simulation.fleet;

import dev.weir.Answer;
import dev.weir.Store;
import dev.weir.async.Scheduler;
import dev.weir.rule.book.Match;
import dev.weir.shared.fleet.Roster;
import dev.weir.time.Ticker;
import java.util.function.Function;
import java.util.function.Supplier;

/** The points between the parts of a server where a test can plant a bug. */
public class InjectionPoints {
  /** Plants no bug. */
  public static final InjectionPoints NONE = new InjectionPoints();

  /** Between clients and the limiter. */
  public Function<Match, Answer> entryPoint(Function<Match, Answer> limiter) {
    return limiter;
  }

  /** Between the limiter and the routing by mode. */
  public Store modeRouting(Store modeRouting, Scheduler scheduler) {
    return modeRouting;
  }

  /** Between the guard and the network. */
  public Store link(Store link) {
    return link;
  }

  /** Between leases and the guard. */
  public Store guard(Store guarded) {
    return guarded;
  }

  /** Between pending charges and the store they are charged to. */
  public Store pendingCharges(Store store) {
    return store;
  }

  /** The store itself. */
  public Store store(Store store) {
    return store;
  }

  /** Between the fleet and the roster. */
  public Roster roster(Roster roster) {
    return roster;
  }

  /**
   * The timers of the server.
   *
   * @param wallClock the wall clock of the server
   */
  public Scheduler scheduler(Scheduler scheduler, Ticker wallClock) {
    return scheduler;
  }

  /** The clock by which pending charges refill. */
  public Ticker pendingChargeClock(Ticker wallClock, Scheduler scheduler) {
    return wallClock;
  }

  /**
   * The clock by which the store counts.
   *
   * @param own the clock of the store
   * @param caller the clock of the server that calls at the moment
   */
  public Ticker storeClock(Ticker own, Supplier<Ticker> caller) {
    return own;
  }
}
