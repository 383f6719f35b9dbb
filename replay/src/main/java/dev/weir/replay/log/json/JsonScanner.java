package dev.weir.replay.log.json;

import dev.weir.replay.log.line.Bytes;
import org.jspecify.annotations.Nullable;

/**
 * Walks over one JSON object without making anything of it. Checks as much of the syntax as it
 * needs to find its way. For one thread.
 *
 * @param <N> where in the object a value is
 */
abstract class JsonScanner<N> {
  private static final int MAX_DEPTH = 32;

  private byte[] bytes = {};
  private int at;
  private int to;

  /** The member of an object; null if its value does not matter. */
  abstract @Nullable N child(N object, byte[] line, int from, int end);

  /** A value that is no object: the range is without quotes. */
  abstract void value(N member, byte[] line, int from, int end);

  /** Walks over an object; false if it is none. */
  final boolean scan(N root, byte[] line, int from, int end) {
    bytes = line;
    at = from;
    to = end;
    skipSpaces();
    if (!isNext('{') || !object(root, 0)) {
      return false;
    }
    skipSpaces();
    return at == to;
  }

  /** How far it has come. */
  final int position() {
    return at;
  }

  private boolean isNext(int wanted) {
    return at < to && bytes[at] == wanted;
  }

  private void skipSpaces() {
    while (at < to && (bytes[at] == ' ' || bytes[at] == '\t' || bytes[at] == '\r')) {
      at++;
    }
  }

  private boolean object(@Nullable N object, int depth) {
    at++;
    skipSpaces();
    if (isNext('}')) {
      at++;
      return true;
    }
    while (isNext('"')) {
      int from = at + 1;
      int end = stringEnd(from);
      if (end < 0) {
        return false;
      }
      N child = object == null ? null : child(object, bytes, from, end);
      at = end + 1;
      skipSpaces();
      if (!isNext(':')) {
        return false;
      }
      at++;
      if (!value(child, depth + 1)) {
        return false;
      }
      if (isNext('}')) {
        at++;
        return true;
      }
      if (!isNext(',')) {
        return false;
      }
      at++;
      skipSpaces();
    }
    return false;
  }

  private boolean value(@Nullable N member, int depth) {
    skipSpaces();
    if (at >= to || depth > MAX_DEPTH) {
      return false;
    }
    boolean valid =
        switch (bytes[at]) {
          case '"' -> string(member);
          case '{' -> object(member, depth);
          case '[' -> array(member, depth);
          default -> word(member);
        };
    skipSpaces();
    return valid;
  }

  private boolean string(@Nullable N member) {
    int from = at + 1;
    int end = stringEnd(from);
    if (end < 0) {
      return false;
    }
    if (member != null) {
      value(member, bytes, from, end);
    }
    at = end + 1;
    return true;
  }

  private int stringEnd(int from) {
    int end = Bytes.indexOf(bytes, from, to, '"');
    while (end >= 0) {
      int slashes = end;
      while (slashes > from && bytes[slashes - 1] == '\\') {
        slashes--;
      }
      if ((end - slashes) % 2 == 0) {
        return end;
      }
      end = Bytes.indexOf(bytes, end + 1, to, '"');
    }
    at = to;
    return -1;
  }

  /** Each element is a value of the array's member. */
  private boolean array(@Nullable N member, int depth) {
    at++;
    skipSpaces();
    if (isNext(']')) {
      at++;
      return true;
    }
    while (value(member, depth + 1)) {
      if (isNext(']')) {
        at++;
        return true;
      }
      if (!isNext(',')) {
        return false;
      }
      at++;
    }
    return false;
  }

  /** A number, true, false or null; the last says that there is no value. */
  private boolean word(@Nullable N member) {
    int from = at;
    while (at < to && isOfWord(bytes[at])) {
      at++;
    }
    boolean none = at - from == 4 && bytes[from] == 'n' && bytes[from + 1] == 'u';
    if (member != null && !none) {
      value(member, bytes, from, at);
    }
    return at > from;
  }

  private static boolean isOfWord(byte c) {
    return (c >= '0' && c <= '9')
        || (c >= 'a' && c <= 'z')
        || c == '.'
        || c == '-'
        || c == '+'
        || c == 'E';
  }
}
