package dev.weir;

import dev.weir.internal.Rejections;
import dev.weir.internal.Scale;
import dev.weir.internal.Shape;
import dev.weir.time.CalendarWindow;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * How much may pass: permits per window, burst, algorithm.
 *
 * <p>A limit is immutable and safe for use by any number of threads. Each factory rejects numbers
 * that cannot be counted exactly with an {@link IllegalArgumentException}. Beside what the operator
 * wrote, a limit holds the same numbers in the integer form in which the algorithms count.
 *
 * <p><b>The integer form.</b> Time is counted in ticks of {@link #tickMicros()}, permits in units
 * of {@link #unitsPerPermit()}, chosen so that every rate is a whole number of units per tick: 3
 * per second is 3 units each microsecond, with 1,000,000 units to a permit. Nothing is ever
 * rounded, so nothing drifts. The tick is a microsecond where the numbers allow it, else a
 * millisecond or a second: a capacity must stay below 2^51 units, because stores that run scripts
 * count in doubles, which are exact to 2^53.
 */
public final class Limit extends IntegerForm {

  /** The longest window: ten years. */
  public static final Duration MAX_WINDOW = Duration.ofDays(3_660);

  /** The maximum number of permits of a sliding log, which remembers each one. */
  public static final int MAX_LOG_PERMITS = 1_000;

  /** The maximum number of permits of a concurrency limit, which remembers each holder. */
  public static final int MAX_CONCURRENT = 10_000;

  /** The maximum number of permits of a sliding counter, which packs two counts into one number. */
  public static final int MAX_COUNTER_PERMITS = Integer.MAX_VALUE;

  /** The longest time a bucket may take to refill: a century. */
  public static final Duration MAX_REFILL = Scale.MAX_REFILL;

  /** The maximum capacity, in units. */
  public static final long MAX_CAPACITY_UNITS = Scale.MAX_CAPACITY_UNITS;

  /** The maximum level of any counter, in units, however much is charged to it. */
  public static final long MAX_LEVEL_UNITS = Scale.MAX_LEVEL_UNITS;

  /**
   * The maximum debt of a bucket, in windows. A charge beyond that is forgiven, so that no charge,
   * however wrong, denies a caller for long. The debt of other counters ends with their windows.
   */
  public static final int MAX_DEBT_WINDOWS = Scale.MAX_DEBT_WINDOWS;

  /** The highest {@link #serial()}. */
  public static final int MAX_SERIAL = (1 << 24) - 1;

  private static final AtomicLong SERIALS = new AtomicLong();

  private final long cost;
  private final long group;
  private final int hash;
  private final int serial;

  private Limit(Spec spec) {
    this(spec, 1, spec.group());
  }

  private Limit(Spec spec, long cost, long group) {
    super(spec);
    this.cost = cost;
    this.group = group;
    this.hash = Objects.hash(algorithm().name(), permits(), windowMicros(), capacity());
    long made = SERIALS.incrementAndGet();
    this.serial = made <= MAX_SERIAL ? (int) made : 0;
  }

  /** {@code permits} per {@code window}, and as many at once. */
  public static Limit tokenBucket(long permits, Duration window) {
    return tokenBucket(permits, window, permits);
  }

  /** {@code permits} per {@code window}, and {@code burst} at once when the bucket is full. */
  public static Limit tokenBucket(long permits, Duration window, long burst) {
    return bucket(Algorithm.TOKEN_BUCKET, permits, window, "burst", burst, 0);
  }

  /**
   * An outflow of {@code permits} per {@code window}, evenly spaced, with a queue of up to {@code
   * queue} waiting permits.
   */
  public static Limit leakyBucket(long permits, Duration window, long queue) {
    Rejections.between("queue", queue, 0, MAX_CAPACITY_UNITS - 1);
    return bucket(Algorithm.LEAKY_BUCKET, permits, window, "queue", queue, 1);
  }

  /**
   * A bucket whose capacity is {@code extra + base}.
   *
   * @param field the name of {@code extra} in error messages
   */
  private static Limit bucket(
      Algorithm algorithm, long permits, Duration window, String field, long extra, long base) {
    long micros = micros("window", window);
    Rejections.between("permits", permits, 1, MAX_CAPACITY_UNITS);
    Rejections.between(field, extra, 1 - base, MAX_CAPACITY_UNITS);
    Scale scale = Scale.ofBucket(permits, window, micros, field, extra, base);
    return new Limit(new Spec(algorithm, permits, micros, null, extra + base, scale));
  }

  /** {@code permits} in each window; windows are aligned to the Unix epoch. */
  public static Limit fixedWindow(long permits, Duration window) {
    long micros = micros("window", window);
    Rejections.between("permits", permits, 1, MAX_CAPACITY_UNITS);
    return unscaled(Algorithm.FIXED_WINDOW, permits, micros, null);
  }

  /** {@code permits} in each window of the calendar. */
  public static Limit fixedWindow(long permits, CalendarWindow window) {
    long micros = micros("window", window.length());
    Rejections.between("permits", permits, 1, MAX_CAPACITY_UNITS);
    return unscaled(Algorithm.FIXED_WINDOW, permits, micros, window);
  }

  /** {@code permits} in any window, exactly; at most {@value #MAX_LOG_PERMITS} of them. */
  public static Limit slidingLog(long permits, Duration window) {
    long micros = micros("window", window);
    Rejections.between("permits", permits, 1, MAX_CAPACITY_UNITS);
    if (permits > MAX_LOG_PERMITS) {
      String max = "at most " + MAX_LOG_PERMITS + " for a sliding log, which remembers each one";
      throw Rejections.of("permits", permits, max + "; use a sliding counter or a token bucket");
    }
    return unscaled(Algorithm.SLIDING_LOG, permits, micros, null);
  }

  /** About {@code permits} in any window; never more than twice as many, less one. */
  public static Limit slidingCounter(long permits, Duration window) {
    long micros = micros("window", window);
    Rejections.between("permits", permits, 1, MAX_COUNTER_PERMITS);
    Scale scale = Scale.ofCounter(permits, window, micros);
    return new Limit(new Spec(Algorithm.SLIDING_COUNTER, permits, micros, null, permits, scale));
  }

  /**
   * {@code permits} held at the same time, at most {@value #MAX_CONCURRENT}. A permit that its
   * holder does not release expires after {@code expiry}.
   */
  public static Limit concurrent(long permits, Duration expiry) {
    long micros = micros("expiry", expiry);
    Rejections.between("permits", permits, 1, MAX_CONCURRENT);
    return unscaled(Algorithm.CONCURRENCY, permits, micros, null);
  }

  /** A limit whose unit is one permit and whose tick is one microsecond. */
  private static Limit unscaled(
      Algorithm algorithm, long permits, long micros, @Nullable CalendarWindow calendar) {
    return new Limit(new Spec(algorithm, permits, micros, calendar, permits, Scale.ONE));
  }

  private static long micros(String field, Duration duration) {
    Objects.requireNonNull(duration, field);
    boolean whole = duration.getNano() % 1_000 == 0;
    if (!whole || duration.compareTo(Duration.ZERO) <= 0 || duration.compareTo(MAX_WINDOW) > 0) {
      throw Rejections.of(
          field, duration, "whole microseconds, more than 0, at most " + MAX_WINDOW);
    }
    return duration.getSeconds() * 1_000_000 + duration.getNano() / 1_000;
  }

  /**
   * This limit with another default {@link #cost()}.
   *
   * @throws IllegalArgumentException if the cost is negative or above the {@link #capacity()}
   */
  public Limit withCost(long cost) {
    Rejections.between("cost", cost, 0, Claim.MAX_COST);
    if (capacity() < cost) {
      String field =
          switch (algorithm()) {
            case TOKEN_BUCKET -> "burst";
            case LEAKY_BUCKET -> "queue";
            default -> "permits";
          };
      long value = algorithm() == Algorithm.LEAKY_BUCKET ? capacity() - 1 : capacity();
      throw Rejections.of(field, value, "room for the cost of one request, " + cost);
    }
    return new Limit(spec, cost, group);
  }

  /**
   * This limit as part of a rule. All limits of one rule belong to one {@link #group()}, whatever
   * their numbers; limits of two rules do not, even if their numbers are the same.
   */
  public Limit ofRule(String name) {
    return new Limit(spec, cost, Shape.of(name));
  }

  /** This limit in the {@link #group()} of another limit, of which it is a part. */
  public Limit inGroupOf(Limit other) {
    return group == other.group ? this : new Limit(spec, cost, other.group);
  }

  /** The cost of a request whose claim names no other. */
  public long cost() {
    return cost;
  }

  /**
   * A number that identifies this object in this process, so that a store can record under which
   * limit a counter was written; 0 for all limits made after the first {@link #MAX_SERIAL}. It is
   * no part of {@link #equals}.
   */
  public int serial() {
    return serial;
  }

  /**
   * A number for the limits whose counters share memory where that is short: that of the rule to
   * which the limit {@linkplain #ofRule belongs}, or else one derived from the limit's own numbers.
   * It affects neither {@link #equals} nor what is counted.
   */
  public long group() {
    return group;
  }

  /** Whether the other limit {@linkplain #countsLike counts alike} and has the same cost. */
  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof Limit that && countsLike(that) && cost == that.cost;
  }

  @Override
  public int hashCode() {
    return hash;
  }

  @Override
  public String toString() {
    Object window = calendar().isPresent() ? calendar().get() : window();
    String text = algorithm() + " " + permits() + "/" + window;
    return switch (algorithm()) {
      case TOKEN_BUCKET -> text + " burst " + capacity();
      case LEAKY_BUCKET -> text + " queue " + (capacity() - 1);
      default -> text;
    };
  }
}
