package dev.weir.rules.gateway;

import dev.weir.internal.Rejections;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * When requests are shed, and which first. Immutable.
 *
 * @param capacity the requests that may be in flight
 * @param priorities the first that matches a request decides; then {@link PriorityTable#byMethod}
 * @param thresholds the percent of the capacity from which on priorities 1, 2 and 3 are shed, in
 *     this order, none greater than the one before
 * @param queueDelay the second signal; empty if only the capacity counts
 */
public record SheddingSettings(
    int capacity,
    List<PriorityRule> priorities,
    List<Integer> thresholds,
    Optional<QueueDelay> queueDelay) {
  /** The priority that is shed first; 0 is never shed. */
  public static final int LOWEST = 3;

  /** The maximum of {@code capacity}. */
  public static final int MAX_CAPACITY = 1_000_000;

  /** The default of {@code thresholds}. */
  public static final List<Integer> THRESHOLDS = List.of(90, 80, 70);

  /**
   * Copies the lists.
   *
   * @throws IllegalArgumentException if a number is out of bounds, or a threshold is greater than
   *     that of a more important priority
   */
  public SheddingSettings {
    Rejections.between("capacity", capacity, 1, MAX_CAPACITY);
    priorities = List.copyOf(priorities);
    thresholds = List.copyOf(thresholds);
    Rejections.between("thresholds", thresholds.size(), LOWEST, LOWEST);
    long before = 100;
    for (int threshold : thresholds) {
      before = Rejections.between("threshold", threshold, 1, before);
    }
    priorities.forEach(one -> Rejections.between("priority", one.priority(), 0, LOWEST));
  }

  /** Shedding at a capacity, with the defaults for everything else. */
  public static SheddingSettings of(int capacity) {
    return new SheddingSettings(capacity, List.of(), THRESHOLDS, Optional.of(QueueDelay.DEFAULT));
  }

  /**
   * The queue delay that is tolerated, as in CoDel.
   *
   * @param target the delay that is good
   * @param interval for which the delay must have been greater before anything is shed
   */
  public record QueueDelay(Duration target, Duration interval) {
    /** 5 milliseconds, for 100. */
    public static final QueueDelay DEFAULT =
        new QueueDelay(Duration.ofMillis(5), Duration.ofMillis(100));
  }
}
