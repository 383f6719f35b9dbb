package dev.weir.rule;

import dev.weir.Claim;
import org.jspecify.annotations.Nullable;

/**
 * How many permits a request needs.
 *
 * @param value the name of the value that tells, if the request does
 * @param otherwise the cost where nothing is told
 * @param ceiling the most a request may be told to cost; also the cost of one told in a way that
 *     makes no sense or two ways at once, so that nonsense is never the cheaper way
 */
public record Cost(@Nullable String value, long otherwise, long ceiling) {

  /** One permit a request. */
  public static final Cost ONE = of(1);

  public Cost {
    Claim.checkCost(otherwise);
    Claim.checkCost(ceiling);
  }

  public static Cost of(long cost) {
    return new Cost(null, cost, cost);
  }

  long of(@Nullable String told) {
    if (told == null) {
      return otherwise;
    }
    long cost = 0;
    for (int i = 0; i < told.length(); i++) {
      int digit = told.charAt(i) - '0';
      if (digit < 0 || digit > 9 || cost > Claim.MAX_COST) {
        return ceiling;
      }
      cost = 10 * cost + digit;
    }
    return told.isEmpty() || cost == 0 ? ceiling : Math.min(cost, ceiling);
  }
}
