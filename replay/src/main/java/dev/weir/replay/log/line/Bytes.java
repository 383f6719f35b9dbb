package dev.weir.replay.log.line;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;

/** Searches and comparisons in ranges of bytes, eight at a time where that pays. */
public final class Bytes {
  private static final VarHandle LONGS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
  private static final long ONES = 0x0101010101010101L;
  private static final long HIGHS = 0x8080808080808080L;
  private static final long MIXER = 0x9E3779B97F4A7C15L;

  private Bytes() {}

  /** The index of the first {@code wanted}; -1 if there is none in the range. */
  public static int indexOf(byte[] bytes, int from, int to, int wanted) {
    long pattern = (wanted & 0xFF) * ONES;
    int at = from;
    for (; at + 8 <= to; at += 8) {
      long differing = (long) LONGS.get(bytes, at) ^ pattern;
      long equal = (differing - ONES) & ~differing & HIGHS;
      if (equal != 0) {
        return at + (Long.numberOfTrailingZeros(equal) >>> 3);
      }
    }
    for (; at < to; at++) {
      if (bytes[at] == (byte) wanted) {
        return at;
      }
    }
    return -1;
  }

  /** The index of the first occurrence of a text; -1 if there is none in the range. */
  public static int indexOf(byte[] bytes, int from, int to, byte[] wanted) {
    int last = to - wanted.length;
    int at = from;
    while (at <= last) {
      at = indexOf(bytes, at, last + 1, wanted[0]);
      if (at < 0) {
        return -1;
      }
      if (isAt(bytes, at, to, wanted)) {
        return at;
      }
      at++;
    }
    return -1;
  }

  /** Whether a text begins at {@code at} and ends within the range. */
  public static boolean isAt(byte[] bytes, int at, int to, byte[] wanted) {
    if (to - at < wanted.length) {
      return false;
    }
    for (int i = 0; i < wanted.length; i++) {
      if (bytes[at + i] != wanted[i]) {
        return false;
      }
    }
    return true;
  }

  /** Whether the range is this text. */
  public static boolean equal(byte[] bytes, int from, int to, byte[] wanted) {
    return Arrays.equals(bytes, from, to, wanted, 0, wanted.length);
  }

  /** Whether the range is empty or a hyphen, by which logs say that there is nothing. */
  public static boolean isAbsent(byte[] bytes, int from, int to) {
    return from >= to || (to - from == 1 && bytes[from] == '-');
  }

  /** The last index of {@code wanted}; -1 if there is none in the range. */
  public static int lastIndexOf(byte[] bytes, int from, int to, int wanted) {
    for (int at = to - 1; at >= from; at--) {
      if (bytes[at] == (byte) wanted) {
        return at;
      }
    }
    return -1;
  }

  /** A hash of the range; good enough for tables that compare the bytes as well. */
  static long hash(byte[] bytes, int from, int to) {
    long hash = (to - from) * MIXER;
    int at = from;
    for (; at + 8 <= to; at += 8) {
      hash = (hash ^ (long) LONGS.get(bytes, at)) * MIXER;
      hash ^= hash >>> 32;
    }
    long rest = 0;
    for (; at < to; at++) {
      rest = rest << 8 | (bytes[at] & 0xFF);
    }
    hash = (hash ^ rest) * MIXER;
    return hash ^ hash >>> 29;
  }

  /** A digit's value; 10 or more if it is none. */
  static int digit(byte character) {
    return (character - '0') & 0xFF;
  }

  /**
   * The number that {@code count} digits make; negative if one of them is no digit, or if the range
   * ends before.
   */
  static int number(byte[] bytes, int at, int to, int count) {
    if (to - at < count) {
      return -1;
    }
    int value = 0;
    for (int i = at; i < at + count; i++) {
      int digit = digit(bytes[i]);
      if (digit > 9) {
        return -1;
      }
      value = value * 10 + digit;
    }
    return value;
  }
}
