package dev.weir.rule;

import dev.weir.Claim;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * How many permits a request needs.
 *
 * @param value the name of the value that states the cost; null if requests do not state it
 * @param defaultCost the cost where the value is absent
 * @param maxCost the maximum cost; also the cost where the value is malformed or ambiguous, so that
 *     a client gains nothing by sending such a value
 * @param response where the response states the true cost; null if the cost is known beforehand
 */
public record Cost(
    @Nullable String value, long defaultCost, long maxCost, @Nullable ResponseCost response) {

  /** One permit a request. */
  public static final Cost ONE = of(1);

  /** Rejects costs that {@link Claim#checkCost} rejects. */
  public Cost {
    Claim.checkCost(defaultCost);
    Claim.checkCost(maxCost);
  }

  /** A cost that the request states. */
  public Cost(@Nullable String value, long defaultCost, long maxCost) {
    this(value, defaultCost, maxCost, null);
  }

  /** A cost that the response states; until then the request is charged the estimate. */
  public static Cost settledBy(ResponseCost response, long estimate) {
    return new Cost(null, estimate, estimate, response);
  }

  /** Where the response states the true cost, if it does. */
  public Optional<ResponseCost> settled() {
    return Optional.ofNullable(response);
  }

  /** Whether the rule needs the model, or other contents, of a request to a language model. */
  public boolean readsModel() {
    return response instanceof ResponseCost.LlmUsage;
  }

  /** A constant cost. */
  public static Cost of(long cost) {
    return new Cost(null, cost, cost);
  }

  /** The cost of a request with this value; null if the value is absent. */
  public long of(@Nullable String stated) {
    if (stated == null) {
      return defaultCost;
    }
    long cost = 0;
    for (int i = 0; i < stated.length(); i++) {
      int digit = stated.charAt(i) - '0';
      if (digit < 0 || digit > 9 || cost > Claim.MAX_COST) {
        return maxCost;
      }
      cost = 10 * cost + digit;
    }
    return stated.isEmpty() || cost == 0 ? maxCost : Math.min(cost, maxCost);
  }
}
