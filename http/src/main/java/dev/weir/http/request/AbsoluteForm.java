package dev.weir.http.request;

import dev.weir.http.Ascii;
import org.jspecify.annotations.Nullable;

/**
 * The authority in a request target of absolute form: {@code http://host/path}.
 *
 * @param authorityStart the index of its first character
 * @param authorityEnd the index after its last character
 */
public record AbsoluteForm(int authorityStart, int authorityEnd) {

  /** Finds the authority; null if the target has another form, as one with a leading slash has. */
  public static @Nullable AbsoluteForm of(String target) {
    int colon = target.indexOf(':');
    if (colon < 1 || !target.startsWith("//", colon + 1)) {
      return null;
    }
    for (int i = 0; i < colon; i++) {
      char c = target.charAt(i);
      if (!Ascii.isLetterOrDigit(c) && (i == 0 || "+-.".indexOf(c) < 0)) {
        return null;
      }
    }
    int start = colon + 3;
    int end = start;
    while (end < target.length() && "/?".indexOf(target.charAt(end)) < 0) {
      end++;
    }
    return new AbsoluteForm(start, end);
  }

  /** Whether the authority has no character that some servers take for its end. */
  boolean isPlain(String target) {
    for (int i = authorityStart; i < authorityEnd; i++) {
      char c = target.charAt(i);
      if (!Ascii.isLetterOrDigit(c) && "-._~:@[]".indexOf(c) < 0) {
        return false;
      }
    }
    return true;
  }
}
