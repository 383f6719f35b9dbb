package dev.weir.replay.log.line;

import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * Makes strings of bytes, the same string for the same bytes as long as it remembers them. A
 * direct-mapped table: each new text takes the place of an old one, so that memory is bounded
 * whatever clients send. Bytes become the characters of the same number, as servers read requests.
 */
final class Interner {
  private static final int MAX_LENGTH = 256;

  private final @Nullable String[] values;
  private final long[] hashes;
  private final byte[] scratch = new byte[MAX_LENGTH];

  /** A table for that many texts, a power of two. */
  Interner(int capacity) {
    values = new String[capacity];
    hashes = new long[capacity];
  }

  String intern(byte[] bytes, int from, int to) {
    int length = to - from;
    if (length > MAX_LENGTH) {
      return string(bytes, from, length);
    }
    long hash = Bytes.hash(bytes, from, to);
    int place = (int) (hash >>> 17) & (values.length - 1);
    String known = values[place];
    if (known != null && hashes[place] == hash && isSame(known, bytes, from, length)) {
      return known;
    }
    String made = string(bytes, from, length);
    values[place] = made;
    hashes[place] = hash;
    return made;
  }

  /** Two texts may have the same hash, and a client may have looked for them. */
  @SuppressWarnings("deprecation") // copies the low bytes, which are all that there are
  private boolean isSame(String known, byte[] bytes, int from, int length) {
    if (known.length() != length) {
      return false;
    }
    known.getBytes(0, length, scratch, 0);
    return java.util.Arrays.equals(scratch, 0, length, bytes, from, from + length);
  }

  private static String string(byte[] bytes, int from, int length) {
    return new String(bytes, from, length, StandardCharsets.ISO_8859_1);
  }
}
