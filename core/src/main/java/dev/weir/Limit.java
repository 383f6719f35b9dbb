package dev.weir;

import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Permits per window, burst, algorithm: how much may pass.
 *
 * <p>A limit is made once, refuses numbers it cannot count exactly, and never changes. Beside what
 * the operator wrote it holds the same numbers in the integer form the algorithms count in.
 *
 * <p><b>The integer form.</b> Time is counted in ticks of {@link #tickMicros()}, permits in units
 * of {@link #unitsPerPermit()}, chosen so that every rate is a whole number of units per tick: 3
 * per second is 3 units each microsecond, with 1,000,000 units to a permit. Nothing is ever
 * rounded, so nothing drifts. The tick is a microsecond where the numbers allow it, else a
 * millisecond or a second: a capacity must stay below 2^51 units, because stores that run scripts
 * count in doubles, which are exact to 2^53.
 *
 * <p>It is long for a file because there is one way to make each kind of limit, with its own
 * refusals, beside the numbers of all of them; each part is simple.
 */
public final class Limit {

  /** The longest window: ten years. */
  public static final Duration MAX_WINDOW = Duration.ofDays(3_660);

  /** The most permits a sliding log may have; it remembers each one. */
  public static final int MAX_LOG_PERMITS = 1_000;

  /** The most permits a concurrency limit may have; it remembers each holder. */
  public static final int MAX_CONCURRENT = 10_000;

  /** The most permits of a sliding counter, which keeps two counts in one number. */
  public static final int MAX_COUNTER_PERMITS = Integer.MAX_VALUE;

  /** The longest a bucket may take to refill: a century. Nobody waits longer, and clocks end. */
  public static final Duration MAX_REFILL = Duration.ofDays(36_525);

  /** No capacity is above this, in units. */
  public static final long MAX_CAPACITY_UNITS = 1L << 51;

  /** No counter goes above this, in units, however much is charged to it. */
  public static final long MAX_LEVEL_UNITS = 1L << 52;

  /**
   * The deepest debt of a bucket, in windows: what is charged beyond that is forgiven, so that no
   * charge, however wrong, denies anybody for long. Other counters end with their windows.
   */
  public static final int MAX_DEBT_WINDOWS = 4;

  /** The highest number a limit has; see {@link #serial()}. */
  public static final int MAX_SERIAL = (1 << 24) - 1;

  private static final AtomicLong SERIALS = new AtomicLong();

  private final Algorithm algorithm;
  private final long permits;
  private final long windowMicros;
  private final @Nullable CalendarWindow calendar;
  private final long capacity;
  private final long cost;

  private final long tickMicros;
  private final long windowTicks;
  private final Divisor unitsPerTick;
  private final Divisor unitsPerPermit;
  private final long capacityUnits;
  private final long maxLevelUnits;
  private final long longestDrainTicks;
  private final long maxAheadTicks;
  private final long shape;
  private final long group;
  private final int hash;
  private final int serial;

  private Limit(
      Algorithm algorithm, long permits, long windowMicros, long capacity, long cost, Scale scale) {
    this(algorithm, permits, windowMicros, null, capacity, cost, scale, null);
  }

  private Limit(
      Algorithm algorithm,
      long permits,
      long windowMicros,
      @Nullable CalendarWindow calendar,
      long capacity,
      long cost,
      Scale scale,
      @Nullable Long group) {
    this.calendar = calendar;
    this.algorithm = algorithm;
    this.permits = permits;
    this.windowMicros = windowMicros;
    this.capacity = capacity;
    this.cost = cost;
    this.tickMicros = scale.tickMicros();
    this.windowTicks = windowMicros / scale.tickMicros();
    this.unitsPerTick = Divisor.of(scale.unitsPerTick());
    this.unitsPerPermit = Divisor.of(scale.unitsPerPermit());
    this.capacityUnits = capacity * scale.unitsPerPermit();
    this.maxLevelUnits = scale.maxLevelUnits(capacity, permits);
    this.longestDrainTicks = maxLevelUnits / scale.unitsPerTick() + 1;
    this.maxAheadTicks = Math.max(windowTicks, isBucket() ? drainTicks(capacityUnits) : 0);
    this.shape = Shape.of(algorithm, windowMicros, calendar);
    this.group = group == null ? Shape.mixed(Shape.mixed(shape + permits) + capacity) : group;
    this.hash = Objects.hash(algorithm.name(), permits, windowMicros, capacity);
    long made = SERIALS.incrementAndGet();
    this.serial = made <= MAX_SERIAL ? (int) made : 0;
  }

  /** {@code permits} per {@code window}, and as many at once. */
  public static Limit tokenBucket(long permits, Duration window) {
    return tokenBucket(permits, window, permits);
  }

  /** {@code permits} per {@code window}, and {@code burst} at once after a rest. */
  public static Limit tokenBucket(long permits, Duration window, long burst) {
    return bucket(Algorithm.TOKEN_BUCKET, permits, window, "burst", burst, 0);
  }

  /**
   * An outflow of {@code permits} per {@code window}, evenly spaced, and room for {@code queue}
   * more to wait their turn.
   */
  public static Limit leakyBucket(long permits, Duration window, long queue) {
    Refusal.between("queue", queue, 0, MAX_CAPACITY_UNITS - 1);
    return bucket(Algorithm.LEAKY_BUCKET, permits, window, "queue", queue, 1);
  }

  /** {@code permits} in each window; windows are aligned to the Unix epoch. */
  public static Limit fixedWindow(long permits, Duration window) {
    long micros = windowMicros(window);
    Refusal.between("permits", permits, 1, MAX_CAPACITY_UNITS);
    return new Limit(Algorithm.FIXED_WINDOW, permits, micros, permits, 1, Scale.ONE);
  }

  /** {@code permits} in each window of the calendar. */
  public static Limit fixedWindow(long permits, CalendarWindow window) {
    long micros = windowMicros(window.length());
    Refusal.between("permits", permits, 1, MAX_CAPACITY_UNITS);
    return new Limit(Algorithm.FIXED_WINDOW, permits, micros, window, permits, 1, Scale.ONE, null);
  }

  /** {@code permits} in any window, exactly; at most {@value #MAX_LOG_PERMITS} of them. */
  public static Limit slidingLog(long permits, Duration window) {
    long micros = windowMicros(window);
    Refusal.between("permits", permits, 1, MAX_CAPACITY_UNITS);
    if (permits > MAX_LOG_PERMITS) {
      String most = "at most " + MAX_LOG_PERMITS + " for a sliding log, which remembers each one";
      throw Refusal.of("permits", permits, most + "; use a sliding counter or a token bucket");
    }
    return new Limit(Algorithm.SLIDING_LOG, permits, micros, permits, 1, Scale.ONE);
  }

  /** About {@code permits} in any window; never more than twice as many, less one. */
  public static Limit slidingCounter(long permits, Duration window) {
    long micros = windowMicros(window);
    Refusal.between("permits", permits, 1, MAX_COUNTER_PERMITS);
    Scale scale = Scale.ofCounter(permits, window, micros);
    return new Limit(Algorithm.SLIDING_COUNTER, permits, micros, permits, 1, scale);
  }

  /**
   * {@code permits} held at the same time, at most {@value #MAX_CONCURRENT}. One that is not
   * released returns by itself after {@code expiry}.
   */
  public static Limit concurrent(long permits, Duration expiry) {
    long micros = micros("expiry", expiry);
    Refusal.between("permits", permits, 1, MAX_CONCURRENT);
    return new Limit(Algorithm.CONCURRENCY, permits, micros, permits, 1, Scale.ONE);
  }

  /** The same limit, where a request costs {@code cost} unless its claim says otherwise. */
  public Limit withCost(long cost) {
    Refusal.between("cost", cost, 0, Claim.MAX_COST);
    if (capacity < cost) {
      String field =
          switch (algorithm) {
            case TOKEN_BUCKET -> "burst";
            case LEAKY_BUCKET -> "queue";
            default -> "permits";
          };
      long value = algorithm == Algorithm.LEAKY_BUCKET ? capacity - 1 : capacity;
      throw Refusal.of(field, value, "room for the cost of one request, " + cost);
    }
    return with(cost, group);
  }

  /**
   * The same limit as one of a rule. Limits of one name belong to one {@link #group()}, whatever
   * their numbers; those of two rules do not, though their numbers are the same.
   */
  public Limit ofRule(String name) {
    return with(cost, Shape.of(name));
  }

  /** The same limit in the group of another one, of which it is a part. */
  public Limit inGroupOf(Limit other) {
    return group == other.group ? this : with(cost, other.group);
  }

  private Limit with(long otherCost, long otherGroup) {
    Scale scale = new Scale(tickMicros, unitsPerTick(), unitsPerPermit());
    return new Limit(
        algorithm, permits, windowMicros, calendar, capacity, otherCost, scale, otherGroup);
  }

  private static Limit bucket(
      Algorithm algorithm, long permits, Duration window, String field, long extra, long base) {
    long micros = windowMicros(window);
    Refusal.between("permits", permits, 1, MAX_CAPACITY_UNITS);
    long capacity = extra + base;
    Refusal.between(field, extra, 1 - base, MAX_CAPACITY_UNITS);
    Scale scale = Scale.ofBucket(permits, window, micros, field, extra, base);
    return new Limit(algorithm, permits, micros, capacity, 1, scale);
  }

  private static long windowMicros(Duration window) {
    return micros("window", window);
  }

  private static long micros(String field, Duration duration) {
    Objects.requireNonNull(duration, field);
    boolean whole = duration.getNano() % 1_000 == 0;
    if (!whole || duration.compareTo(Duration.ZERO) <= 0 || duration.compareTo(MAX_WINDOW) > 0) {
      throw Refusal.of(field, duration, "whole microseconds, more than 0, at most " + MAX_WINDOW);
    }
    return duration.getSeconds() * 1_000_000 + duration.getNano() / 1_000;
  }

  public Algorithm algorithm() {
    return algorithm;
  }

  /** Permits per window, or permits held at the same time. */
  public long permits() {
    return permits;
  }

  /** The window, of the calendar the longest; for a concurrency limit, the expiry of a permit. */
  public Duration window() {
    return Duration.ofSeconds(windowMicros / 1_000_000, windowMicros % 1_000_000 * 1_000);
  }

  /**
   * The most permits that can be taken at one moment: the burst of a token bucket, the queue of a
   * leaky bucket and the one in front of it, the permits of all others.
   */
  public long capacity() {
    return capacity;
  }

  /** What a request costs unless its claim says otherwise. */
  public long cost() {
    return cost;
  }

  public long windowMicros() {
    return windowMicros;
  }

  /** Where the windows of a fixed window begin, if that is not every {@link #window()}. */
  public Optional<CalendarWindow> calendar() {
    return Optional.ofNullable(calendar);
  }

  /** When the fixed window that {@code micros} is in began. */
  public long windowStartMicros(long micros) {
    return calendar == null ? micros - micros % windowMicros : calendar.startMicros(micros);
  }

  /** When the fixed window that began at {@code startMicros} ends. */
  public long windowEndMicros(long startMicros) {
    return calendar == null ? startMicros + windowMicros : calendar.endMicros(startMicros);
  }

  /** The grain of time this limit is counted in. */
  public long tickMicros() {
    return tickMicros;
  }

  public long windowTicks() {
    return windowTicks;
  }

  /** What a bucket drains in one tick. */
  public long unitsPerTick() {
    return unitsPerTick.divisor();
  }

  /** Ticks in which {@code units} drain from a bucket, rounded up. */
  public long drainTicks(long units) {
    return unitsPerTick.ceil(units);
  }

  public long unitsPerPermit() {
    return unitsPerPermit.divisor();
  }

  /** Whole permits in {@code units}, rounded down; below zero, too. */
  public long permitsIn(long units) {
    return units < 0 ? -unitsPerPermit.ceil(-units) : unitsPerPermit.floor(units);
  }

  /** {@link #capacity()} in units. */
  public long capacityUnits() {
    return capacityUnits;
  }

  /**
   * What a bucket's level never goes above, in units, however much is charged to it: its capacity
   * and {@link #MAX_DEBT_WINDOWS} windows' worth of permits.
   */
  public long maxLevelUnits() {
    return maxLevelUnits;
  }

  /**
   * How many ticks a counter's time may be ahead of the clock: a window, or as long as a bucket
   * takes to fill up again. One that is further ahead was written by a clock that has been set back
   * since, and is as if never used: nobody waits for a clock for longer than this.
   */
  public long maxAheadTicks() {
    return maxAheadTicks;
  }

  /** Whether a counter written at tick {@code at} is too far ahead of the clock to count. */
  public boolean isAhead(long at, long nowMicros) {
    return at - nowMicros / tickMicros > maxAheadTicks;
  }

  private boolean isBucket() {
    return algorithm == Algorithm.TOKEN_BUCKET || algorithm == Algorithm.LEAKY_BUCKET;
  }

  /** Ticks after which a bucket is empty whatever was in it. */
  public long longestDrainTicks() {
    return longestDrainTicks;
  }

  /**
   * A number that only this object has, in this process, for stores that want to note which limit a
   * counter was written under; 0, for no number, once {@link #MAX_SERIAL} limits have been made. It
   * has no part in {@link #equals}.
   */
  public int serial() {
    return serial;
  }

  /**
   * A number for its algorithm and window, for a concurrency limit for the algorithm alone; the
   * same for every limit of that kind, in every process. {@link Claim#of} makes it part of the key.
   */
  public long shape() {
    return shape;
  }

  /**
   * A number for those limits whose counters share their room where that is short: of the rule that
   * the limit {@linkplain #ofRule belongs to}, or else of the numbers of this limit. It has no part
   * in {@link #equals}, nor in what is counted.
   */
  public long group() {
    return group;
  }

  /** Whether both count the same way, so that a counter kept by one can be read by the other. */
  public boolean countsLike(Limit other) {
    return algorithm == other.algorithm
        && permits == other.permits
        && windowMicros == other.windowMicros
        && capacity == other.capacity
        && Objects.equals(calendar, other.calendar);
  }

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
    String text = algorithm + " " + permits + "/" + (calendar == null ? window() : calendar);
    return switch (algorithm) {
      case TOKEN_BUCKET -> text + " burst " + capacity;
      case LEAKY_BUCKET -> text + " queue " + (capacity - 1);
      default -> text;
    };
  }
}
