package dev.weir.server.check;

import org.jspecify.annotations.Nullable;

/**
 * The trusted headers that a gateway vouches for: it sets them, or removes what a client sent.
 *
 * @param names separated by commas; null if the gateway does not list them, and vouches for all
 */
record VouchedHeaders(@Nullable String names) {
  static final VouchedHeaders ALL = new VouchedHeaders(null);

  boolean contains(String name) {
    if (names == null) {
      return true;
    }
    for (int from = 0; from <= names.length(); ) {
      int comma = names.indexOf(',', from);
      int end = comma < 0 ? names.length() : comma;
      if (end - from == name.length() && names.regionMatches(true, from, name, 0, name.length())) {
        return true;
      }
      from = end + 1;
    }
    return false;
  }
}
