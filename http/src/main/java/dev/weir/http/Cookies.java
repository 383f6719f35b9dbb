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
 * So is one that only some servers find, since its {@linkplain CookieName name} is spelled in
 * another way or stands within another cookie. An empty one is absent. Values are compared in
 * {@linkplain CookieValue one spelling}.
 */
final class Cookies {
  /** What is longer is not searched, and may have any cookie. */
  static final int MAX_CHARS = 65_536;

  private final CookieName[] names;
  private final @Nullable String[] values;
  private final boolean[] clash;

  /** What some find under a name, and others do not. */
  private @Nullable String @Nullable [] doubtful;

  private Cookies(CookieName[] names) {
    this.names = names;
    this.values = new String[names.length];
    this.clash = new boolean[names.length];
  }

  /** The value of each name, in their order; null where absent. */
  static @Nullable String[] read(List<String> lines, CookieName[] names, HttpMeters meters) {
    Cookies cookies = new Cookies(names);
    long length = 0;
    for (String line : lines) {
      length += line.length();
    }
    if (length > MAX_CHARS) {
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
      int equals = equals(line, start, end);
      if (equals < end) {
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
    boolean found = false;
    for (int i = 0; i < names.length; i++) {
      if (names[i].isAt(line, start, nameEnd)) {
        found = true;
        String value = CookieValue.of(line.substring(equals + 1, end));
        clash[i] |= isSeveral(line, equals + 1, end);
        clash[i] |= values[i] != null && !value.equals(values[i]);
        values[i] = value;
      }
    }
    if (!found) {
      doubt(line, start, equals, end, true);
    }
    for (int more = equals(line, equals + 1, end); more < end; more = equals(line, more + 1, end)) {
      doubt(line, start, more, end, false);
    }
  }

  /** Whether some take a value for a shorter one, and another cookie behind a blank or comma. */
  private static boolean isSeveral(String line, int from, int end) {
    boolean begun = false;
    boolean separated = false;
    for (int i = from; i < end; i++) {
      char c = line.charAt(i);
      boolean separator = c <= ' ' || c == ',';
      if (separated && c == '=' && line.charAt(from) != '"') {
        return true;
      }
      separated |= begun && separator;
      begun |= !separator;
    }
    return false;
  }

  /** The next equals sign before an end, or else the end. */
  private static int equals(String line, int from, int end) {
    for (int i = from; i < end; i++) {
      if (line.charAt(i) == '=') {
        return i;
      }
    }
    return end;
  }

  private void doubt(String line, int start, int equals, int end, boolean first) {
    for (int i = 0; i < names.length; i++) {
      if (names[i].mayEndAt(line, start, equals, first)) {
        @Nullable String[] all = doubtful == null ? new String[names.length] : doubtful;
        doubtful = all;
        String value = CookieValue.of(line.substring(equals + 1, end));
        clash[i] |= all[i] != null && !value.equals(all[i]);
        all[i] = value;
      }
    }
  }

  private @Nullable String[] finish(HttpMeters meters) {
    for (int i = 0; i < values.length; i++) {
      String value = values[i];
      String doubt = doubtful == null ? null : doubtful[i];
      if (clash[i] || (doubt != null && !doubt.equals(value == null ? "" : value))) {
        meters.count(Event.COOKIE_DUPLICATE);
        values[i] = Descriptor.UNUSABLE;
      } else if (value != null && value.isEmpty()) {
        values[i] = null;
      }
    }
    return values;
  }
}
