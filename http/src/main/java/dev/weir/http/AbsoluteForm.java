package dev.weir.http;

import org.jspecify.annotations.Nullable;

/** Where the authority stands in a target that names its host: {@code http://host/path}. */
record AbsoluteForm(int authorityStart, int authorityEnd) {

  /** Null if the target is of another form; one that starts with a slash always is. */
  static @Nullable AbsoluteForm of(String target) {
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

  /** Whether there is nothing in the authority that some might take for its end. */
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
