package dev.weir.simulation.model;

import dev.weir.Limit;
import dev.weir.shared.fleet.Fleet.Position;
import dev.weir.simulation.world.World;
import java.math.BigInteger;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/**
 * The rosters that a server truly received, and so what it may hold and what it counts against
 * locally, whatever the server made of the news.
 *
 * <p>After the roster was lost, the server may assume a larger fleet than the new roster for a
 * while.
 */
public final class FleetModel {
  /** After this time, permits leased under an earlier fleet size are spent or void. */
  private static final long DRAIN_NANOS = World.millis(1_300);

  /** A server leases nothing until it has been on the roster for this long. */
  private static final long KNOWN_NANOS = World.millis(2_900);

  /**
   * After this time without a roster the other servers treat the server as new: five periods, and
   * what comes late.
   */
  private static final long SILENCE_NANOS = World.millis(5_350);

  private final World world;
  private final Runnable onChange;
  private final Supplier<Position> assumed;
  private final List<EarlierSize> earlierSizes = new ArrayList<>();

  private record EarlierSize(long untilNanos, int size) {}

  private Position lastPosition = new Position(0, 1);
  private int largestSize = 1;
  private String storeMemory = "";
  private long sinceNanos;
  private boolean known;
  private long lastRollNanos;

  /**
   * @param onChange is run when the server may hold more or less
   * @param assumed the position in the fleet that the server assumes
   */
  public FleetModel(World world, Runnable onChange, Supplier<Position> assumed) {
    this.world = world;
    this.onChange = onChange;
    this.assumed = assumed;
  }

  /**
   * Records a roster that has reached the server.
   *
   * @param listedNanos when the server was put on the roster, which is the age of the news
   * @return whether the store has lost all its data since the last roster
   */
  public boolean onRoll(int rank, List<String> servers, String newMemory, long listedNanos) {
    boolean same = newMemory.equals(storeMemory);
    boolean dataLost = !same && !storeMemory.isEmpty();
    if (known) {
      long untilNanos = Math.min(world.nanos(), lastRollNanos + SILENCE_NANOS);
      earlierSizes.add(new EarlierSize(untilNanos + DRAIN_NANOS, lastPosition.size()));
    }
    boolean continuous = same && listedNanos - lastRollNanos <= SILENCE_NANOS;
    sinceNanos = continuous ? sinceNanos : world.nanos();
    known = world.nanos() - sinceNanos >= KNOWN_NANOS;
    lastRollNanos = listedNanos;
    storeMemory = newMemory;
    lastPosition = new Position(Math.max(0, rank), Math.max(1, servers.size()));
    largestSize = Math.max(largestSize, lastPosition.size());
    onChange.run();
    world.after(DRAIN_NANOS + 1, onChange);
    world.after(SILENCE_NANOS + DRAIN_NANOS + 1, onChange);
    return dataLost;
  }

  private Position position() {
    Position own = assumed.get();
    boolean cautious = own.size() > lastPosition.size() && own.size() <= largestSize;
    return cautious ? own : lastPosition;
  }

  /** The maximum that the server may still hold of a share that all servers divide. */
  public long maxHeld(long share) {
    boolean silent = world.nanos() - lastRollNanos > SILENCE_NANOS + DRAIN_NANOS;
    return silent ? 0 : maxHeldWhilePaused(share);
  }

  /** The maximum for a paused server, which does not even notice that news is missing. */
  public long maxHeldWhilePaused(long share) {
    earlierSizes.removeIf(earlier -> earlier.untilNanos < world.nanos());
    long max = known ? share / lastPosition.size() : 0;
    for (EarlierSize earlier : earlierSizes) {
      max = Math.max(max, share / earlier.size);
    }
    return max;
  }

  /** The part of a limit that the server counts against while the store does not answer. */
  public Limit localLimit(Limit limit) {
    Position position = position();
    int size = position.size();
    long capacity = share(limit.capacity(), position);
    long permits = share(limit.permits(), position);
    // The shortest window for the rate, because the window decides how far a counter may be ahead
    // of
    // the clock.
    long common = BigInteger.valueOf(limit.permits()).gcd(BigInteger.valueOf(size)).longValue();
    long rate = limit.permits() / common;
    Duration window = limit.window().multipliedBy(size / common);
    return switch (limit.algorithm()) {
      case TOKEN_BUCKET -> Limit.tokenBucket(rate, window, capacity);
      case LEAKY_BUCKET -> Limit.leakyBucket(rate, window, capacity - 1);
      case FIXED_WINDOW -> Limit.fixedWindow(permits, limit.window());
      case SLIDING_LOG -> Limit.slidingLog(permits, limit.window());
      case SLIDING_COUNTER -> Limit.slidingCounter(permits, limit.window());
      case CONCURRENCY -> Limit.concurrent(permits, limit.window());
    };
  }

  private static long share(long permits, Position position) {
    long more = position.rank() < permits % position.size() ? 1 : 0;
    return Math.max(1, permits / position.size() + more);
  }
}
