package dev.weir.server.action;

import java.util.OptionalLong;
import java.util.regex.Pattern;

/**
 * The hash of a caller's identity as 16 hexadecimal digits: the upper half of the keys of its
 * counters. Whoever has only the hash cannot tell whose it is.
 */
public final class CallerHash {
  private static final Pattern FORM = Pattern.compile("[0-9A-Fa-f]{16}");

  private CallerHash() {}

  /** The hash in hexadecimal digits. */
  public static String text(long hash) {
    return String.format("%016x", hash);
  }

  /** The hash that a text states; empty if it states none. */
  public static OptionalLong parse(String text) {
    return FORM.matcher(text).matches()
        ? OptionalLong.of(Long.parseUnsignedLong(text, 16))
        : OptionalLong.empty();
  }
}
