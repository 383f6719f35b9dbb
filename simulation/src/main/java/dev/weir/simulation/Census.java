package dev.weir.simulation;

import dev.weir.Limit;
import dev.weir.guard.Fleet.Place;
import java.math.BigInteger;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/**
 * What a server was truly told of the others: what it must go by, whatever became of the news in
 * it. It may go by more of them for a while, where a list has begun anew.
 */
final class Census {
  /** Permits that were taken by what was told before are spent or void after so long. */
  private static final long LASTING_NANOS = World.millis(1_300);

  /** Nothing is held in advance before it was told for so long. */
  private static final long KNOWN_NANOS = World.millis(2_900);

  /**
   * After so long without news it counts as new to the others: five periods, and what comes late.
   */
  private static final long SILENCE_NANOS = World.millis(5_350);

  private final World world;
  private final Runnable changed;
  private final Supplier<Place> goesBy;
  private final List<Told> told = new ArrayList<>();

  private record Told(long untilNanos, int size) {}

  private Place last = new Place(0, 1);
  private int largest = 1;
  private String memory = "";
  private long sinceNanos;
  private boolean known;
  private long newsNanos;

  /**
   * @param goesBy what the server believes
   */
  Census(World world, Runnable changed, Supplier<Place> goesBy) {
    this.world = world;
    this.changed = changed;
    this.goesBy = goesBy;
  }

  /**
   * It was told, and whether by a list that has begun anew since the last time.
   *
   * @param listedNanos when it was put on the list: so old is what it is told
   */
  boolean told(int rank, List<String> servers, String newMemory, long listedNanos) {
    boolean same = newMemory.equals(memory);
    boolean anew = !same && !memory.isEmpty();
    if (known) {
      long held = Math.min(world.nanos(), newsNanos + SILENCE_NANOS);
      told.add(new Told(held + LASTING_NANOS, last.size()));
    }
    boolean goesOn = same && listedNanos - newsNanos <= SILENCE_NANOS;
    sinceNanos = goesOn ? sinceNanos : world.nanos();
    known = world.nanos() - sinceNanos >= KNOWN_NANOS;
    newsNanos = listedNanos;
    memory = newMemory;
    last = new Place(Math.max(0, rank), Math.max(1, servers.size()));
    largest = Math.max(largest, last.size());
    changed.run();
    world.after(LASTING_NANOS + 1, changed);
    world.after(SILENCE_NANOS + LASTING_NANOS + 1, changed);
    return anew;
  }

  private Place place() {
    Place believed = goesBy.get();
    boolean cautious = believed.size() > last.size() && believed.size() <= largest;
    return cautious ? believed : last;
  }

  /** What it may still hold of a share that is for all. */
  long mayHold(long share) {
    boolean silent = world.nanos() - newsNanos > SILENCE_NANOS + LASTING_NANOS;
    return silent ? 0 : mayHaveHeld(share);
  }

  /** The same for one that could not even hear that it is alone. */
  long mayHaveHeld(long share) {
    told.removeIf(one -> one.untilNanos < world.nanos());
    long most = known ? share / last.size() : 0;
    for (Told one : told) {
      most = Math.max(most, share / one.size);
    }
    return most;
  }

  /** The part of a limit that the server keeps to without the store. */
  Limit part(Limit limit) {
    Place place = place();
    int size = place.size();
    long capacity = dealt(limit.capacity(), place);
    long permits = dealt(limit.permits(), place);
    // The shortest window for its rate: how far it may be ahead of the clock depends on that.
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

  private static long dealt(long permits, Place place) {
    long more = place.rank() < permits % place.size() ? 1 : 0;
    return Math.max(1, permits / place.size() + more);
  }
}
