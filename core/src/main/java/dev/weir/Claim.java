package dev.weir;

import java.util.List;
import java.util.Objects;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;

/**
 * One limit, one key, one cost: what is asked of a store.
 *
 * <p>Make claims with {@link #of} and {@link #hold}: there a key has a counter for each algorithm
 * and window that it is used with, so that two limits on one caller never count each other's
 * requests. Numbers alone may change, from 10 a minute to 20 a minute, say, and what was spent
 * stays spent.
 *
 * <p>The constructors take the key of the counter itself. There a limit of another algorithm or
 * window takes the counter over, with what was spent under the one before: for rules, whose keys
 * are made from their names, and which keep their counters when they change.
 *
 * <p>It is not a record, so that a claim made to be taken at once costs no object for its key: see
 * {@link #keyLow()}.
 */
public final class Claim {

  /** The highest cost a claim may have. */
  public static final long MAX_COST = 1L << 51;

  /** The most claims one request may carry. */
  public static final int MAX_CLAIMS = 1_000;

  private final Limit limit;
  private final LimitKey given;

  /** What is added to the lower half of the key that was given. */
  private final long shape;

  private final long cost;
  private final long permit;
  private final Mode mode;

  /** The key of the counter, once somebody has asked for it; the same whoever makes it. */
  private @Nullable LimitKey key;

  private Claim(Limit limit, LimitKey given, long shape, long cost, long permit, Mode mode) {
    this.limit = Objects.requireNonNull(limit, "limit");
    this.given = Objects.requireNonNull(given, "key");
    this.shape = shape;
    this.cost = cost;
    this.permit = permit;
    this.mode = Objects.requireNonNull(mode, "mode");
    checkCost(cost);
    if (limit.algorithm() != Algorithm.CONCURRENCY && permit != 0) {
      throw Refusal.of("permit", permit, "none, because the limit is not a concurrency limit");
    }
    if (limit.algorithm() == Algorithm.CONCURRENCY && permit == 0) {
      // All who leave it out would share one place, however many they are.
      throw Refusal.of("permit", permit, "a number that only this holder has, and not 0");
    }
  }

  /**
   * A claim on the counter of just this key.
   *
   * @param permit names the holder of a {@link Algorithm#CONCURRENCY} permit, so that it can be
   *     given back once and only by its holder; never 0 there, and 0 for every other algorithm
   * @param mode how exactly servers keep the limit together; a store itself is always exact
   */
  public Claim(Limit limit, LimitKey key, long cost, long permit, Mode mode) {
    this(limit, key, 0, cost, permit, mode);
  }

  /** The same, counted by the store. */
  public Claim(Limit limit, LimitKey key, long cost, long permit) {
    this(limit, key, 0, cost, permit, Mode.STRICT);
  }

  /** A claim for what the limit says one request costs. */
  public static Claim of(Limit limit, LimitKey key) {
    return of(limit, key, limit.cost());
  }

  /** A claim for {@code cost} permits; for a concurrency limit use {@link #hold}. */
  public static Claim of(Limit limit, LimitKey key, long cost) {
    if (limit.algorithm() == Algorithm.CONCURRENCY) {
      throw Refusal.of("permit", "none", "a number that names the holder; use Claim.hold");
    }
    return new Claim(limit, key, limit.shape(), cost, 0, Mode.STRICT);
  }

  /**
   * A claim for a permit of a concurrency limit by a holder that nobody else is: its number is
   * drawn at random. Keep the claim, to renew it by taking it again and to release it by a refund.
   */
  public static Claim hold(Limit limit, LimitKey key) {
    return hold(limit, key, ThreadLocalRandom.current().nextLong(1, Long.MAX_VALUE));
  }

  /**
   * A claim for a permit of a concurrency limit. Taking it again under the same {@code permit}
   * renews its expiry; refunding it releases it, and refunding it twice does no harm.
   *
   * @param permit a number that only this holder has, and not 0: two holders with one number share
   *     one permit
   */
  public static Claim hold(Limit limit, LimitKey key, long permit) {
    if (limit.algorithm() != Algorithm.CONCURRENCY) {
      throw Refusal.of("limit", limit, "a concurrency limit");
    }
    if (limit.cost() == 0) {
      throw Refusal.of("cost", 0, "at least 1 for a concurrency limit: 0 would hold nothing");
    }
    return new Claim(limit, key, limit.shape(), limit.cost(), permit, Mode.STRICT);
  }

  /** The same at another cost. */
  public Claim costing(long other) {
    return new Claim(limit, given, shape, other, permit, mode);
  }

  /** The same on another limit, which keeps the key. */
  public Claim under(Limit other) {
    return new Claim(other, given, shape, cost, permit, mode);
  }

  /**
   * The claims of one request, in a list that nobody can change any more. Refuses more than {@link
   * #MAX_CLAIMS}, and two limits on one counter: give each limit a key of its own.
   */
  public static List<Claim> request(List<Claim> claims) {
    List<Claim> request = List.copyOf(claims);
    if (request.size() > MAX_CLAIMS) {
      throw Refusal.of("claims", request.size(), "at most " + MAX_CLAIMS);
    }
    for (int i = 1; i < request.size(); i++) {
      Claim claim = request.get(i);
      for (int j = 0; j < i; j++) {
        Claim other = request.get(j);
        if (other.key().equals(claim.key()) && !other.limit.countsLike(claim.limit)) {
          String expected = other.limit + ", as in claim " + j + ", or another key";
          throw Refusal.of("claim " + i + " limit", claim.limit, expected);
        }
      }
    }
    return request;
  }

  /** Refuses a cost that is negative or too large to count with. */
  public static void checkCost(long cost) {
    if (cost < 0 || cost > MAX_COST) {
      throw Refusal.of("cost", cost, "between 0 and " + MAX_COST);
    }
  }

  public Limit limit() {
    return limit;
  }

  /**
   * The key of the counter; {@link #of} and {@link #hold} derive it from the one they are given.
   */
  public LimitKey key() {
    LimitKey known = key;
    if (known == null) {
      known = shape == 0 ? given : new LimitKey(keyHigh(), keyLow());
      key = known;
    }
    return known;
  }

  /**
   * The upper half of {@link #key()}: all counters of a caller share it, and stores place by it.
   */
  public long keyHigh() {
    return given.high();
  }

  /** The lower half of {@link #key()}, for stores that need no object for it. */
  public long keyLow() {
    return given.low() + shape;
  }

  public long cost() {
    return cost;
  }

  /** The number of the holder of a concurrency permit; 0 for every other algorithm. */
  public long permit() {
    return permit;
  }

  public Mode mode() {
    return mode;
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof Claim that
        && keyHigh() == that.keyHigh()
        && keyLow() == that.keyLow()
        && cost == that.cost
        && permit == that.permit
        && limit.equals(that.limit)
        && mode.equals(that.mode);
  }

  @Override
  public int hashCode() {
    return Objects.hash(limit, keyHigh(), keyLow(), cost, permit, mode);
  }

  @Override
  public String toString() {
    String holder = permit == 0 ? "" : " by " + permit;
    return cost + " of " + limit + " on " + key() + holder + " (" + mode.kind() + ")";
  }
}
