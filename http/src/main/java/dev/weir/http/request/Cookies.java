package dev.weir.http.request;

import dev.weir.Descriptor;
import dev.weir.http.HttpMeters;
import dev.weir.http.HttpMeters.Event;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Extracts the cookies that rules read, in one pass over the cookies of a request.
 *
 * <p>A cookie that is repeated with another value is unusable: servers disagree which one counts.
 * So is a cookie that only some servers find, because its {@linkplain CookieName name} has another
 * spelling or is inside another cookie. An empty cookie is absent. Values are compared {@linkplain
 * CookieValue once decoded}.
 */
public final class Cookies {
  /** The length of all lines that are searched; in longer ones every cookie is unusable. */
  static final int MAX_CHARS = 65_536;

  private final CookieName[] names;
  private final @Nullable String[] values;
  private final boolean[] conflict;

  /** The values that only some applications find under a name. */
  private @Nullable String @Nullable [] ambiguous;

  private Cookies(CookieName[] names) {
    this.names = names;
    this.values = new String[names.length];
    this.conflict = new boolean[names.length];
  }

  /** The value of each name, in the order of the names; null where absent. */
  public static @Nullable String[] read(List<String> lines, CookieName[] names, HttpMeters meters) {
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
        readPair(line, start, equals, end);
      }
      start = end + 1;
    }
  }

  private void readPair(String line, int start, int equals, int end) {
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
        conflict[i] |= isSeveral(line, equals + 1, end);
        conflict[i] |= values[i] != null && !value.equals(values[i]);
        values[i] = value;
      }
    }
    if (!found) {
      addAmbiguous(line, start, equals, end, true);
    }
    for (int more = equals(line, equals + 1, end); more < end; more = equals(line, more + 1, end)) {
      addAmbiguous(line, start, more, end, false);
    }
  }

  /** Whether some servers end the value at a blank or comma, and read another cookie after it. */
  private static boolean isSeveral(String line, int from, int end) {
    boolean started = false;
    boolean separated = false;
    for (int i = from; i < end; i++) {
      char c = line.charAt(i);
      boolean separator = c <= ' ' || c == ',';
      if (separated && c == '=' && line.charAt(from) != '"') {
        return true;
      }
      separated |= started && separator;
      started |= !separator;
    }
    return false;
  }

  /** The index of the next equals sign, or the end. */
  private static int equals(String line, int from, int end) {
    for (int i = from; i < end; i++) {
      if (line.charAt(i) == '=') {
        return i;
      }
    }
    return end;
  }

  /** Records the value for each name that some applications may find before an equals sign. */
  private void addAmbiguous(String line, int start, int equals, int end, boolean first) {
    for (int i = 0; i < names.length; i++) {
      if (names[i].mayEndAt(line, start, equals, first)) {
        @Nullable String[] all = ambiguous == null ? new String[names.length] : ambiguous;
        ambiguous = all;
        String value = CookieValue.of(line.substring(equals + 1, end));
        conflict[i] |= all[i] != null && !value.equals(all[i]);
        all[i] = value;
      }
    }
  }

  private @Nullable String[] finish(HttpMeters meters) {
    for (int i = 0; i < values.length; i++) {
      String value = values[i];
      String other = ambiguous == null ? null : ambiguous[i];
      if (conflict[i] || (other != null && !other.equals(value == null ? "" : value))) {
        meters.count(Event.COOKIE_DUPLICATE);
        values[i] = Descriptor.UNUSABLE;
      } else if (value != null && value.isEmpty()) {
        values[i] = null;
      }
    }
    return values;
  }
}
