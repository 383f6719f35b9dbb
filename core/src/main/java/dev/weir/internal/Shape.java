package dev.weir.internal;

/**
 * Hashes for the shape of a limit: its algorithm and window, but not its permits. They are the same
 * in every process, since they become part of keys that processes share.
 */
public final class Shape {
  private Shape() {}

  /** The hash of a name. */
  public static long of(String name) {
    long shape = name.length();
    for (int i = 0; i < name.length(); i++) {
      shape = mixed(shape + name.charAt(i));
    }
    return shape;
  }

  /** The finalizer of SplitMix64: each input bit changes about half of the output bits. */
  public static long mixed(long bits) {
    long z = bits + 0x9e3779b97f4a7c15L;
    z = (z ^ (z >>> 30)) * 0xbf58476d1ce4e5b9L;
    z = (z ^ (z >>> 27)) * 0x94d049bb133111ebL;
    return z ^ (z >>> 31);
  }
}
