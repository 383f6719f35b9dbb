package dev.weir;

import dev.weir.internal.Rejections;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;

/**
 * A request for a number of permits of one limit for one key.
 *
 * <p>Make claims with {@link #of} and {@link #hold}. They give a key one counter for each algorithm
 * and window, so that two limits on one caller never count each other's requests. If only the
 * numbers change, say from 10 a minute to 20 a minute, the counter and what was spent stay.
 *
 * <p>The constructors take the key of the counter itself. A limit of another algorithm or window
 * then takes the counter over, with what was spent under the previous limit. Rules need this: their
 * keys are made from their names, and they keep their counters when they change.
 *
 * <p>A claim is immutable and safe for use by any number of threads. It is not a record, so that a
 * claim made to be taken at once costs no object for its key: see {@link #keyLow()}.
 */
public final class Claim {

  /** The maximum cost of a claim. */
  public static final long MAX_COST = 1L << 51;

  /** The maximum number of claims in one request. */
  public static final int MAX_CLAIMS = 1_000;

  private final Limit limit;
  private final LimitKey givenKey;

  /** Added to the lower half of the given key. */
  private final long shape;

  private final long cost;
  private final long holder;
  private final Mode mode;

  /** The key of the counter, made on first use; threads that race make equal keys. */
  private @Nullable LimitKey key;

  private Claim(Limit limit, LimitKey givenKey, long shape, long cost, long holder, Mode mode) {
    this.limit = Objects.requireNonNull(limit, "limit");
    this.givenKey = Objects.requireNonNull(givenKey, "key");
    this.shape = shape;
    this.cost = cost;
    this.holder = holder;
    this.mode = Objects.requireNonNull(mode, "mode");
    checkCost(cost);
    if (limit.algorithm() != Algorithm.CONCURRENCY && holder != 0) {
      throw Rejections.of("permit", holder, "none, because the limit is not a concurrency limit");
    }
    if (limit.algorithm() == Algorithm.CONCURRENCY && holder == 0) {
      // All holders without a number would share one permit, however many they are.
      throw Rejections.of("permit", holder, "a number that only this holder has, and not 0");
    }
  }

  /**
   * A claim on the counter of exactly this key.
   *
   * @param holder identifies the holder of a {@link Algorithm#CONCURRENCY} permit, so that only the
   *     holder can release it, and only once; never 0 there, and 0 for every other algorithm
   * @param mode how exactly the limit is kept across servers; a store itself is always exact
   * @throws IllegalArgumentException if the cost is out of range or the holder does not suit the
   *     algorithm
   */
  public Claim(Limit limit, LimitKey key, long cost, long holder, Mode mode) {
    this(limit, key, 0, cost, holder, mode);
  }

  /** A claim on the counter of exactly this key, in {@link Mode#STRICT}. */
  public Claim(Limit limit, LimitKey key, long cost, long holder) {
    this(limit, key, 0, cost, holder, Mode.STRICT);
  }

  /** A claim for the limit's default {@link Limit#cost()}. */
  public static Claim of(Limit limit, LimitKey key) {
    return of(limit, key, limit.cost());
  }

  /** A claim for {@code cost} permits; for a concurrency limit use {@link #hold}. */
  public static Claim of(Limit limit, LimitKey key, long cost) {
    if (limit.algorithm() == Algorithm.CONCURRENCY) {
      throw Rejections.of("permit", "none", "a number that names the holder; use Claim.hold");
    }
    return new Claim(limit, key, limit.shape(), cost, 0, Mode.STRICT);
  }

  /**
   * A claim for a permit of a concurrency limit by a new holder, whose number is drawn at random.
   * Keep the claim: taking it again renews the permit, and a refund releases it.
   */
  public static Claim hold(Limit limit, LimitKey key) {
    return hold(limit, key, ThreadLocalRandom.current().nextLong(1, Long.MAX_VALUE));
  }

  /**
   * A claim for a permit of a concurrency limit. Taking it again with the same {@code holder}
   * renews its expiry; refunding it releases it, and refunding it twice does no harm.
   *
   * @param holder a number that only this holder has, and not 0: two holders with one number share
   *     one permit
   */
  public static Claim hold(Limit limit, LimitKey key, long holder) {
    if (limit.algorithm() != Algorithm.CONCURRENCY) {
      throw Rejections.of("limit", limit, "a concurrency limit");
    }
    if (limit.cost() == 0) {
      throw Rejections.of("cost", 0, "at least 1 for a concurrency limit: 0 would hold nothing");
    }
    return new Claim(limit, key, limit.shape(), limit.cost(), holder, Mode.STRICT);
  }

  /** This claim with another cost. */
  public Claim withCost(long other) {
    return new Claim(limit, givenKey, shape, other, holder, mode);
  }

  /** This claim on another limit; the key of its counter stays. */
  public Claim withLimit(Limit other) {
    return new Claim(other, givenKey, shape, cost, holder, mode);
  }

  /**
   * The claims of one request as an unmodifiable list.
   *
   * @throws IllegalArgumentException if there are more than {@link #MAX_CLAIMS}, or two limits on
   *     one counter: give each limit a key of its own
   */
  public static List<Claim> request(List<Claim> claims) {
    List<Claim> request = List.copyOf(claims);
    if (request.size() > MAX_CLAIMS) {
      throw Rejections.of("claims", request.size(), "at most " + MAX_CLAIMS);
    }
    for (int i = 1; i < request.size(); i++) {
      Claim claim = request.get(i);
      for (int j = 0; j < i; j++) {
        Claim other = request.get(j);
        if (other.key().equals(claim.key()) && !other.limit.countsLike(claim.limit)) {
          String expected = other.limit + ", as in claim " + j + ", or another key";
          throw Rejections.of("claim " + i + " limit", claim.limit, expected);
        }
      }
    }
    return request;
  }

  /**
   * Checks that a cost is between 0 and {@link #MAX_COST}.
   *
   * @throws IllegalArgumentException if it is not
   */
  public static void checkCost(long cost) {
    if (cost < 0 || cost > MAX_COST) {
      throw Rejections.of("cost", cost, "between 0 and " + MAX_COST);
    }
  }

  /** The limit whose permits are claimed. */
  public Limit limit() {
    return limit;
  }

  /** The key of the counter; {@link #of} and {@link #hold} derive it from the given key. */
  public LimitKey key() {
    LimitKey known = key;
    if (known == null) {
      known = shape == 0 ? givenKey : new LimitKey(keyHigh(), keyLow());
      key = known;
    }
    return known;
  }

  /**
   * The upper half of {@link #key()}: all counters of a caller share it, and stores shard by it.
   */
  public long keyHigh() {
    return givenKey.high();
  }

  /** The lower half of {@link #key()}, for stores that need no key object. */
  public long keyLow() {
    return givenKey.low() + shape;
  }

  /** The number of permits claimed. */
  public long cost() {
    return cost;
  }

  /** The number of the holder of a concurrency permit; 0 for every other algorithm. */
  public long holder() {
    return holder;
  }

  /** How exactly the limit is kept across servers. */
  public Mode mode() {
    return mode;
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof Claim that
        && keyHigh() == that.keyHigh()
        && keyLow() == that.keyLow()
        && cost == that.cost
        && holder == that.holder
        && limit.equals(that.limit)
        && mode.equals(that.mode);
  }

  @Override
  public int hashCode() {
    return Objects.hash(limit, keyHigh(), keyLow(), cost, holder, mode);
  }

  @Override
  public String toString() {
    String by = holder == 0 ? "" : " by " + holder;
    return cost + " of " + limit + " on " + key() + by + " (" + mode.kind() + ")";
  }
}
