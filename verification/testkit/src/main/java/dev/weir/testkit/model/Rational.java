package dev.weir.testkit.model;

import java.math.BigInteger;

/** An exact fraction in lowest terms. */
record Rational(BigInteger numerator, BigInteger denominator) implements Comparable<Rational> {
  static final Rational ZERO = of(0);
  static final Rational ONE = of(1);

  Rational {
    if (denominator.signum() <= 0) {
      throw new ArithmeticException("denominator: " + denominator + " (expected: at least 1)");
    }
    BigInteger gcd = numerator.gcd(denominator);
    numerator = numerator.divide(gcd);
    denominator = denominator.divide(gcd);
  }

  static Rational of(long whole) {
    return new Rational(BigInteger.valueOf(whole), BigInteger.ONE);
  }

  static Rational of(long numerator, long denominator) {
    return new Rational(BigInteger.valueOf(numerator), BigInteger.valueOf(denominator));
  }

  Rational plus(Rational other) {
    BigInteger sum =
        numerator.multiply(other.denominator).add(other.numerator.multiply(denominator));
    return new Rational(sum, denominator.multiply(other.denominator));
  }

  Rational minus(Rational other) {
    return plus(new Rational(other.numerator.negate(), other.denominator));
  }

  Rational times(Rational other) {
    return new Rational(
        numerator.multiply(other.numerator), denominator.multiply(other.denominator));
  }

  Rational min(Rational other) {
    return compareTo(other) <= 0 ? this : other;
  }

  Rational max(Rational other) {
    return compareTo(other) >= 0 ? this : other;
  }

  int signum() {
    return numerator.signum();
  }

  /** The greatest whole number not above this. */
  long floor() {
    BigInteger[] parts = numerator.divideAndRemainder(denominator);
    return parts[0].longValueExact() - (parts[1].signum() < 0 ? 1 : 0);
  }

  /** The least whole number not below this. */
  long ceil() {
    return -new Rational(numerator.negate(), denominator).floor();
  }

  @Override
  public int compareTo(Rational other) {
    return numerator.multiply(other.denominator).compareTo(other.numerator.multiply(denominator));
  }

  @Override
  public String toString() {
    return denominator.equals(BigInteger.ONE) ? numerator + "" : numerator + "/" + denominator;
  }
}
