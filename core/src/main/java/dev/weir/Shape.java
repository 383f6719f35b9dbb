package dev.weir;

import org.jspecify.annotations.Nullable;

/**
 * A number for how a limit counts: its algorithm and its window, but not how much it lets pass. It
 * is the same in every process, since it becomes part of keys that processes share.
 */
final class Shape {
  private Shape() {}

  /** The holders of a concurrency permit are the same ones whatever their expiry. */
  static long of(Algorithm algorithm, long windowMicros, @Nullable CalendarWindow calendar) {
    long shape = mixed(algorithm.name().hashCode());
    if (algorithm != Algorithm.CONCURRENCY) {
      shape = mixed(shape + windowMicros);
      shape = calendar == null ? shape : mixed(shape + calendar.toString().hashCode());
    }
    return shape;
  }

  /** A number for a name. */
  static long of(String name) {
    long shape = name.length();
    for (int i = 0; i < name.length(); i++) {
      shape = mixed(shape + name.charAt(i));
    }
    return shape;
  }

  /** The finalizer of SplitMix64: each bit of the input changes about half of the output's. */
  static long mixed(long bits) {
    long z = bits + 0x9e3779b97f4a7c15L;
    z = (z ^ (z >>> 30)) * 0xbf58476d1ce4e5b9L;
    z = (z ^ (z >>> 27)) * 0x94d049bb133111ebL;
    return z ^ (z >>> 31);
  }
}
