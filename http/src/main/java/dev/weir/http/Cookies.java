package dev.weir.http;

import dev.weir.Descriptor;
import dev.weir.http.HttpMeters.Event;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The cookies that rules ask for, found in one pass over the request's.
 *
 * <p>A cookie that is repeated with another value is of no use: servers disagree which one counts.
 * An empty one is absent. Values are compared in {@linkplain CookieValue one spelling}.
 */
final class Cookies {
  /** What is longer is not searched, and may have any cookie. */
  static final int MOST_CHARS = 65_536;

  private final String[] names;
  private final @Nullable String[] values;
  private final boolean[] clash;

  private Cookies(String[] names) {
    this.names = names;
    this.values = new String[names.length];
    this.clash = new boolean[names.length];
  }

  /** The value of each name, in their order; null where absent. */
  static @Nullable String[] read(List<String> lines, String[] names, HttpMeters meters) {
    Cookies cookies = new Cookies(names);
    long length = 0;
    for (String line : lines) {
      length += line.length();
    }
    if (length > MOST_CHARS) {
      meters.count(Event.HEADER_OVERSIZED);
      Arrays.fill(cookies.values, Descriptor.UNUSABLE);
      return cookies.values;
    }
    for (String line : lines) {
      cookies.read(line);
    }
    return cookies.finish(meters);
  }

  private void read(String line) {
    int start = 0;
    while (start < line.length()) {
      int semicolon = line.indexOf(';', start);
      int end = semicolon < 0 ? line.length() : semicolon;
      int equals = line.indexOf('=', start);
      if (equals >= 0 && equals < end) {
        pair(line, start, equals, end);
      }
      start = end + 1;
    }
  }

  private void pair(String line, int start, int equals, int end) {
    while (start < equals && line.charAt(start) <= ' ') {
      start++;
    }
    int nameEnd = equals;
    while (nameEnd > start && line.charAt(nameEnd - 1) <= ' ') {
      nameEnd--;
    }
    for (int i = 0; i < names.length; i++) {
      String name = names[i];
      if (name.length() == nameEnd - start && line.startsWith(name, start)) {
        String value = CookieValue.of(line.substring(equals + 1, end));
        clash[i] |= values[i] != null && !value.equals(values[i]);
        values[i] = value;
      }
    }
  }

  private @Nullable String[] finish(HttpMeters meters) {
    for (int i = 0; i < values.length; i++) {
      String value = values[i];
      if (clash[i]) {
        meters.count(Event.COOKIE_DUPLICATE);
        values[i] = Descriptor.UNUSABLE;
      } else if (value != null && value.isEmpty()) {
        values[i] = null;
      }
    }
    return values;
  }
}
