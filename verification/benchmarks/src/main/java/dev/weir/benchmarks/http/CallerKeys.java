package dev.weir.benchmarks.http;

import java.util.Locale;

/** The API keys of the callers of {@link Load}: all of the same length. */
public final class CallerKeys {
  static final int DIGITS = 12;
  static final String PREFIX = "key-";

  private CallerKeys() {}

  /** The key of a caller. */
  public static String of(int caller) {
    return String.format(Locale.ROOT, "%s%0" + DIGITS + "d", PREFIX, caller);
  }

  /** Replaces the number of the caller in a request. */
  static void write(byte[] request, int at, long caller) {
    long rest = caller;
    for (int digit = at + DIGITS - 1; digit >= at; digit--) {
      request[digit] = (byte) ('0' + rest % 10);
      rest /= 10;
    }
  }
}
