package dev.weir.simulation;

import dev.weir.Limit;
import java.util.ArrayList;
import java.util.List;

/**
 * What a server was truly told of the others: what it must go by, whatever became of the news in
 * it.
 */
final class Census {
  /** Permits that were taken by what was told before are spent or void after so long. */
  private static final long LASTING_NANOS = World.millis(1_300);

  private final World world;
  private final Runnable changed;
  private final List<Told> told = new ArrayList<>();

  private record Told(long untilNanos, int size) {}

  private int rank;
  private int size = 1;
  private int news;

  Census(World world, Runnable changed) {
    this.world = world;
    this.changed = changed;
  }

  void told(int newRank, int newSize) {
    if (newRank == rank && newSize == size) {
      return;
    }
    told.add(new Told(world.nanos() + LASTING_NANOS, size));
    news++;
    rank = newRank;
    size = newSize;
    changed.run();
    world.after(LASTING_NANOS + 1, changed);
  }

  /** How often it was told something new. */
  int news() {
    return news;
  }

  /** The fewest servers by which it may still hold permits. */
  int fewest() {
    told.removeIf(one -> one.untilNanos < world.nanos());
    int fewest = size;
    for (Told one : told) {
      fewest = Math.min(fewest, one.size);
    }
    return fewest;
  }

  /** The part of a limit that the server keeps to without the store. */
  Limit part(Limit limit) {
    long capacity = dealt(limit.capacity());
    long permits = dealt(limit.permits());
    return switch (limit.algorithm()) {
      case TOKEN_BUCKET ->
          Limit.tokenBucket(limit.permits(), limit.window().multipliedBy(size), capacity);
      case LEAKY_BUCKET ->
          Limit.leakyBucket(limit.permits(), limit.window().multipliedBy(size), capacity - 1);
      case FIXED_WINDOW -> Limit.fixedWindow(permits, limit.window());
      case SLIDING_LOG -> Limit.slidingLog(permits, limit.window());
      case SLIDING_COUNTER -> Limit.slidingCounter(permits, limit.window());
      case CONCURRENCY -> Limit.concurrent(permits, limit.window());
    };
  }

  private long dealt(long permits) {
    long more = rank < permits % size ? 1 : 0;
    return Math.max(1, permits / size + more);
  }
}
