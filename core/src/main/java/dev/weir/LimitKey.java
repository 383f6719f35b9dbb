package dev.weir;

/**
 * The identity of one counter: 128 bits that reveal nothing about the caller.
 *
 * <p>Make keys with a {@link dev.weir.key.KeySpace}, which hashes names and values with a secret.
 */
public record LimitKey(long high, long low) {

  /** 32 hexadecimal digits. */
  @Override
  public String toString() {
    return String.format("%016x%016x", high, low);
  }
}
