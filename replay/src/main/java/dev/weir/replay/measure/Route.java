package dev.weir.replay.measure;

/**
 * The route of a request: its path, where {@code *} stands for what looks like an identifier, with
 * its extension if it has one.
 *
 * <p>A segment looks like one if it has only digits; if it has an {@code @}; if it has eight
 * characters or more, all of them hexadecimal digits or dashes, and a digit among them; or if it
 * has twenty characters or more, and a digit among them.
 */
public final class Route {
  private static final int MIN_HEX = 8;
  private static final int MIN_LONG = 20;
  private static final int MAX_CHARS = 120;

  private Route() {}

  /** The hash of the route of a request. */
  public static long hash(String method, String target) {
    long hash = Hashes.with(Hashes.SEED, method);
    int end = end(target);
    int from = 0;
    while (from < end) {
      int to = segmentEnd(target, from, end);
      if (isIdentifier(target, from, to)) {
        hash = Hashes.with(hash, '*');
      } else {
        for (int i = from; i < to; i++) {
          hash = Hashes.with(hash, target.charAt(i));
        }
      }
      hash = Hashes.with(hash, '/');
      from = to + 1;
    }
    return Hashes.end(hash);
  }

  /** The route of a request in words: {@code GET /users/*}. */
  public static String name(String method, String target) {
    StringBuilder name = new StringBuilder(method).append(' ');
    int end = end(target);
    int from = 0;
    while (from < end && name.length() < MAX_CHARS) {
      int to = segmentEnd(target, from, end);
      if (isIdentifier(target, from, to)) {
        name.append('*');
      } else {
        name.append(target, from, to);
      }
      if (to < end) {
        name.append('/');
      }
      from = to + 1;
    }
    return name.length() <= MAX_CHARS ? name.toString() : name.substring(0, MAX_CHARS) + "…";
  }

  /** Where the path ends. */
  private static int end(String target) {
    int query = target.indexOf('?');
    return query < 0 ? target.length() : query;
  }

  private static int segmentEnd(String target, int from, int end) {
    int slash = target.indexOf('/', from);
    return slash < 0 || slash > end ? end : slash;
  }

  private static boolean isIdentifier(String target, int from, int to) {
    int length = to - from;
    int digits = 0;
    int hex = 0;
    for (int i = from; i < to; i++) {
      char c = target.charAt(i);
      if (c >= '0' && c <= '9') {
        digits++;
      } else if (c == '-' || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F')) {
        hex++;
      } else if (c == '@') {
        return true;
      }
    }
    return digits > 0
        && (digits == length
            || (length >= MIN_HEX && digits + hex == length)
            || length >= MIN_LONG);
  }
}
