package dev.weir.internal;

import java.math.BigInteger;

/**
 * Division by an invariant number: a multiplication and a shift, exact for what limits count.
 *
 * <p>With {@code L} the bits of the divisor and {@code m} the next integer above {@code
 * 2^(54+L)/divisor}, {@code n·m / 2^(54+L)} rounded down is {@code n / divisor} rounded down for
 * every {@code n} from 0 to 2^54 (Granlund and Montgomery, "Division by invariant integers using
 * multiplication"). A decision divides twice, and a division instruction would be its slowest step.
 */
public record Divisor(long divisor, long multiplier, int shift) {
  private static final int BITS = 54;

  /** Dividends below this are divided exactly. */
  static final long MAX_DIVIDEND = 1L << BITS;

  /** A divisor of at least 1. */
  public static Divisor of(long divisor) {
    int length = Long.SIZE - Long.numberOfLeadingZeros(divisor - 1);
    BigInteger scaled = BigInteger.ONE.shiftLeft(BITS + length);
    BigInteger by = BigInteger.valueOf(divisor);
    long multiplier = scaled.add(by).subtract(BigInteger.ONE).divide(by).longValueExact();
    // Both factors are shifted up as far as their sign allows, so the high half of the product
    // keeps all that the final shift needs.
    return new Divisor(divisor, multiplier << 7, length + BITS - 49);
  }

  /** {@code dividend / divisor}, rounded down. */
  public long floor(long dividend) {
    return Math.multiplyHigh(dividend << 8, multiplier) >> shift;
  }

  /** {@code dividend / divisor}, rounded up. */
  public long ceil(long dividend) {
    return floor(dividend + divisor - 1);
  }
}
