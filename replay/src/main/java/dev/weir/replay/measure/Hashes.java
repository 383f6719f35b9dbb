package dev.weir.replay.measure;

/** 64-bit hashes of texts, and how tables use them. */
public final class Hashes {
  /** Where a hash begins. */
  public static final long SEED = 0x9E37_79B9_7F4A_7C15L;

  private static final long FACTOR = 0xD6E8_FEB8_6659_FD93L;

  private Hashes() {}

  /** The hash so far with one more character. */
  public static long with(long hash, char c) {
    return (hash ^ c) * FACTOR;
  }

  /** The hash so far with a text. */
  public static long with(long hash, CharSequence text) {
    long mixed = hash;
    for (int i = 0; i < text.length(); i++) {
      mixed = (mixed ^ text.charAt(i)) * FACTOR;
    }
    return (mixed ^ text.length()) * FACTOR;
  }

  /** The hash at its end, with all bits as good as random; never 0. */
  public static long end(long hash) {
    long mixed = (hash ^ (hash >>> 32)) * FACTOR;
    mixed = (mixed ^ (mixed >>> 32)) * FACTOR;
    mixed ^= mixed >>> 32;
    return mixed == 0 ? 1 : mixed;
  }

  /** Whether a hash is in the sample of one in {@code mask + 1}. */
  static boolean isSampled(long hash, long mask) {
    return (hash >>> 40 & mask) == 0;
  }
}
