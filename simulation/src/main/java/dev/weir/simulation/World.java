package dev.weir.simulation;

import java.util.EnumMap;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * Time that passes only when nothing is left to do at a moment, and chance that comes from a seed.
 *
 * <p>Everything that happens is work in one queue, done by one thread in the order of (time,
 * number): so a seed tells the same story each time.
 */
final class World {
  private final PriorityQueue<Event> queue = new PriorityQueue<>();
  private final Story story;
  private final SplittableRandom random;
  private final Map<Happening, Long> happened = new EnumMap<>(Happening.class);
  private long nanos;
  private long numbers;
  private long digest = 17;

  private record Event(long nanos, long number, Runnable work) implements Comparable<Event> {
    @Override
    public int compareTo(Event other) {
      int byTime = Long.compare(nanos, other.nanos);
      return byTime != 0 ? byTime : Long.compare(number, other.number);
    }
  }

  World(long seed, Story story) {
    this.random = new SplittableRandom(seed);
    this.story = story;
  }

  long nanos() {
    return nanos;
  }

  SplittableRandom random() {
    return random;
  }

  boolean chance(double probability) {
    return random.nextDouble() < probability;
  }

  /** A time between the two, in nanoseconds. */
  long between(long leastNanos, long mostNanos) {
    return leastNanos + (mostNanos <= leastNanos ? 0 : random.nextLong(mostNanos - leastNanos));
  }

  void after(long delayNanos, Runnable work) {
    queue.add(new Event(nanos + Math.max(0, delayNanos), numbers++, work));
  }

  /** Lets time pass until that moment. */
  void runUntil(long untilNanos) {
    while (!queue.isEmpty() && queue.peek().nanos <= untilNanos) {
      Event next = queue.remove();
      nanos = next.nanos;
      next.work.run();
    }
    nanos = Math.max(nanos, untilNanos);
  }

  /** Tells what happens, to those who listen. */
  void tell(Supplier<String> line) {
    if (story.isWanted()) {
      story.add(nanos, line.get());
    }
  }

  void count(Happening one) {
    happened.merge(one, 1L, Long::sum);
  }

  /** How often what has happened. */
  Map<Happening, Long> happened() {
    return happened;
  }

  /** Something that must be the same whenever the seed is. */
  void mark(long what) {
    digest = (digest * 31 + nanos) * 31 + what;
  }

  long digest() {
    return digest;
  }

  static long millis(long millis) {
    return TimeUnit.MILLISECONDS.toNanos(millis);
  }

  static long micros(long micros) {
    return TimeUnit.MICROSECONDS.toNanos(micros);
  }
}
