package dev.weir.simulation;

import dev.weir.Algorithm;
import dev.weir.Limit;

/**
 * What a polite client may be denied for, as far as it is not its own doing.
 *
 * <p>Its own is what it got, when the store counted it or a server spent it; and what faults took
 * from it. The store may have counted more than that by what servers hold of the counter: each no
 * more than its part, for a second, and what is on its way back. With all this, a request that is
 * denied would not fit.
 */
final class Courtesy {
  /**
   * So long after it came last, a lease that nobody wants is back: a second, a tenth of one until
   * somebody looks, and the way.
   */
  private static final long LASTING_NANOS = World.millis(1_150);

  /** So long before a window ends, what is left of a lease goes with it, and another may begin. */
  private static final long EDGE_MICROS = 150_000;

  private final World world;
  private final Wall clock;
  private final Limit limit;
  private final Tally own;

  Courtesy(World world, Wall clock, Limit limit) {
    this.world = world;
    this.clock = clock;
    this.limit = limit;
    this.own = new Tally(limit);
  }

  /** Counted for the client, or lost to a fault. */
  void counted(long cost) {
    own.add(clock.micros(), cost);
  }

  /** A server has more in advance, unless nobody is there any more to hear of it. */
  void refilled(Holding holding, Message message, long cost) {
    if (message.givenUp || !message.node.isAlive()) {
      counted(cost);
      return;
    }
    counted(0);
    ofWindow(holding);
    holding.out += cost;
    holding.outNanos = world.nanos();
    holding.outPausedNanos = message.node.pause.nanos();
  }

  /** The client got what a server held. */
  void spent(Holding holding, long cost) {
    ofWindow(holding);
    holding.out = Math.max(0, holding.out - cost);
    counted(cost);
  }

  /** A fault took what a server held, or had on its way back. */
  void lost(Holding holding, long cost) {
    ofWindow(holding);
    long lost = Math.min(holding.out, cost);
    holding.out -= lost;
    counted(lost);
  }

  /** What was on its way back is there, also if it was given up. */
  void returned(Holding holding, long cost) {
    ofWindow(holding);
    long held = Math.min(holding.out, cost);
    holding.out -= held;
    own.takeBack(clock.micros(), cost - held);
  }

  /** What a window was taken from ends with it. */
  private void ofWindow(Holding holding) {
    long start = limit.windowStartMicros(clock.micros());
    if (limit.algorithm() == Algorithm.FIXED_WINDOW && start > holding.outWindow) {
      holding.outWindow = start;
      holding.out = 0;
    }
  }

  /** What a server holds of it, and has not even sent back. */
  long kept(Holding holding) {
    ofWindow(holding);
    return isAtEdge() ? 0 : Math.max(0, holding.out - holding.returning);
  }

  /** Whether the store had to deny it. */
  boolean hadToBeDenied(Iterable<Node> nodes, Account account, long cost) {
    long held = 0;
    for (Node node : nodes) {
      Holding holding = node.holding(account);
      ofWindow(holding);
      long paused = node.pause.nanos() - holding.outPausedNanos;
      boolean lasts = world.nanos() - holding.outNanos - paused <= LASTING_NANOS;
      // Who is paused keeps what it has, whatever became of its part.
      long part = paused > 0 ? holding.out : node.census.mayHold(account.share());
      long may = holding.returning + (lasts ? part : 0) + (isAtEdge() ? part : 0);
      held += Math.min(holding.out, may);
    }
    return !own.hasRoom(clock.micros(), cost + held);
  }

  private boolean isAtEdge() {
    long now = clock.micros();
    return limit.algorithm() == Algorithm.FIXED_WINDOW
        && limit.windowEndMicros(limit.windowStartMicros(now)) - now < EDGE_MICROS;
  }
}
