package dev.weir.spring.method.expression;

import dev.weir.Claim;
import java.math.BigInteger;
import org.jspecify.annotations.Nullable;

/** How many permits a call costs. Thread-safe. */
public final class CostExpression {
  private static final String EXPECTED = "a whole number between 1 and " + Claim.MAX_COST;

  private final @Nullable CallExpression expression;
  private final long constant;

  private CostExpression(@Nullable CallExpression expression, long constant) {
    this.expression = expression;
    this.constant = constant;
  }

  /** A cost that each call computes. */
  static CostExpression of(CallExpression expression) {
    return new CostExpression(expression, 0);
  }

  /** A cost that is always the same. */
  static CostExpression of(long permits) {
    return new CostExpression(null, permits);
  }

  /**
   * The cost of a call.
   *
   * @throws IllegalArgumentException if it is not a whole number, less than 1 or too large
   */
  public long of(MethodCall call) {
    if (expression == null) {
      return constant;
    }
    Object value = expression.of(call);
    if (!isWhole(value)) {
      throw expression.wrong(
          value == null ? "null" : value + ", " + value.getClass().getName(), EXPECTED);
    }
    BigInteger cost = new BigInteger(String.valueOf(value));
    if (cost.signum() < 1 || cost.compareTo(BigInteger.valueOf(Claim.MAX_COST)) > 0) {
      throw expression.wrong(cost.toString(), EXPECTED);
    }
    return cost.longValueExact();
  }

  private static boolean isWhole(@Nullable Object value) {
    return value instanceof Integer
        || value instanceof Long
        || value instanceof Short
        || value instanceof Byte
        || value instanceof BigInteger;
  }
}
