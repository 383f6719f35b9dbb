package dev.weir.simulation.world;

import java.util.EnumMap;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * Virtual time and seeded randomness: time advances only when no work is left at the current
 * moment.
 *
 * <p>All work is in one queue. One thread does it in the order of (time, number), so a seed gives
 * the same run each time. Not thread-safe, like everything in a simulation.
 */
public final class World {
  private final PriorityQueue<Event> queue = new PriorityQueue<>();
  private final EventLog eventLog;
  private final SplittableRandom random;
  private final Map<EventType, Long> eventCounts = new EnumMap<>(EventType.class);
  private long nanos;
  private long nextNumber;
  private long digest = 17;

  private record Event(long nanos, long number, Runnable work) implements Comparable<Event> {
    @Override
    public int compareTo(Event other) {
      int byTime = Long.compare(nanos, other.nanos);
      return byTime != 0 ? byTime : Long.compare(number, other.number);
    }
  }

  /** Starts at time zero with the random numbers of the seed. */
  public World(long seed, EventLog eventLog) {
    this.random = new SplittableRandom(seed);
    this.eventLog = eventLog;
  }

  /** The virtual time since the start of the run. */
  public long nanos() {
    return nanos;
  }

  /** The only source of randomness of the run. */
  public SplittableRandom random() {
    return random;
  }

  /** Returns true with the given probability. */
  public boolean chance(double probability) {
    return random.nextDouble() < probability;
  }

  /** Draws a number from {@code min} up to, but excluding, {@code max}; if empty, {@code min}. */
  public long between(long min, long max) {
    return min + (max <= min ? 0 : random.nextLong(max - min));
  }

  /** Schedules work; a negative delay counts as zero. */
  public void after(long delayNanos, Runnable work) {
    queue.add(new Event(nanos + Math.max(0, delayNanos), nextNumber++, work));
  }

  /** Does all work that is due until that moment, and advances the time to it. */
  public void runUntil(long untilNanos) {
    while (!queue.isEmpty() && queue.peek().nanos <= untilNanos) {
      Event next = queue.remove();
      nanos = next.nanos;
      next.work.run();
    }
    nanos = Math.max(nanos, untilNanos);
  }

  /** Adds a line to the event log, if it is enabled. */
  public void log(Supplier<String> line) {
    if (eventLog.isEnabled()) {
      eventLog.add(nanos, line.get());
    }
  }

  /** Counts an event. */
  public void count(EventType event) {
    eventCounts.merge(event, 1L, Long::sum);
  }

  /** How often each event has happened; events that never happened are absent. */
  public Map<EventType, Long> eventCounts() {
    return eventCounts;
  }

  /** Adds a value to the digest; it must be the same in every run of the seed. */
  public void addToDigest(long value) {
    digest = (digest * 31 + nanos) * 31 + value;
  }

  /** A hash of the run so far: equal for equal seeds. */
  public long digest() {
    return digest;
  }

  /** Milliseconds in nanoseconds. */
  public static long millis(long millis) {
    return TimeUnit.MILLISECONDS.toNanos(millis);
  }

  /** Microseconds in nanoseconds. */
  public static long micros(long micros) {
    return TimeUnit.MICROSECONDS.toNanos(micros);
  }
}
