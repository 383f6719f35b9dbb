package dev.weir;

import java.util.List;
import java.util.Objects;

/**
 * One limit, one key, one cost: what is asked of a store.
 *
 * @param permit names the holder of a {@link Algorithm#CONCURRENCY} permit, so that it can be given
 *     back once and only by its holder; 0 for every other algorithm
 * @param mode how exactly servers keep the limit together; a store itself is always exact
 */
public record Claim(Limit limit, LimitKey key, long cost, long permit, Mode mode) {

  /** The highest cost a claim may have. */
  public static final long MAX_COST = 1L << 51;

  /** The most claims one request may carry. */
  public static final int MAX_CLAIMS = 1_000;

  public Claim {
    Objects.requireNonNull(limit, "limit");
    Objects.requireNonNull(key, "key");
    Objects.requireNonNull(mode, "mode");
    checkCost(cost);
    if (limit.algorithm() != Algorithm.CONCURRENCY && permit != 0) {
      throw Refusal.of("permit", permit, "none, because the limit is not a concurrency limit");
    }
  }

  /** A claim that is counted by the store. */
  public Claim(Limit limit, LimitKey key, long cost, long permit) {
    this(limit, key, cost, permit, Mode.STRICT);
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
    return new Claim(limit, key, cost, 0);
  }

  /**
   * A claim for a place among those in flight. Taking it again under the same {@code permit} renews
   * its expiry; refunding it releases the place, and refunding it twice does no harm.
   */
  public static Claim hold(Limit limit, LimitKey key, long permit) {
    if (limit.algorithm() != Algorithm.CONCURRENCY) {
      throw Refusal.of("limit", limit, "a concurrency limit");
    }
    return new Claim(limit, key, limit.cost(), permit);
  }

  /** The same at another cost. */
  public Claim costing(long other) {
    return new Claim(limit, key, other, permit, mode);
  }

  /** The same on another limit, which keeps the key. */
  public Claim under(Limit other) {
    return new Claim(other, key, cost, permit, mode);
  }

  /**
   * The claims of one request, in a list that nobody can change any more. Refuses more than {@link
   * #MAX_CLAIMS}, and two limits on one key: a key is one counter, so give each limit a key of its
   * own.
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
        if (other.key.equals(claim.key) && !other.limit.countsLike(claim.limit)) {
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
}
