package dev.weir.http;

import dev.weir.http.EscapedText.Form;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.Set;

/** The characters of a path, decoded once, and what there is among them to disagree about. */
final class PathTokens {
  private static final int ESCAPED = 1 << 24;
  private static final int BYTE = 1 << 25;

  private int[] tokens = new int[64];
  private int size;
  private final Set<Kind> kinds = EnumSet.noneOf(Kind.class);

  /** The length of the name since the last delimiter, and how many dots and spaces are in it. */
  private int nameChars;

  private int nameDots;
  private int nameSpaces;
  private boolean nameEscaped;
  private boolean endsWithDot; // or space

  /** What servers disagree about. */
  enum Kind {
    ESCAPED_SLASH,
    BACKSLASH,
    ESCAPED_BACKSLASH,
    SEMICOLON,
    ESCAPED_SEMICOLON,
    /** The start of a fragment, which no request target has. */
    HASH,
    /** An escaped question mark or hash: the end, behind a gateway that decodes it. */
    ESCAPED_END,
    /** A space, control character or escaped zero: to some the end of all. */
    STOP,
    /** A segment of dots that stand for themselves. */
    PLAIN_DOTS,
    /** One whose dots are escaped, be it one of them. */
    ESCAPED_DOTS,
    /** A name that ends with a dot or space, before a delimiter. */
    TRAILING_DOT_INSIDE,
    /** The same at the end of the path. */
    TRAILING_DOT,
    /** Two slashes together. */
    EMPTY_SEGMENT,
    /** Two slashes at the start, behind which to some comes a host. */
    AUTHORITY,
    /** A spelling that a few decode, and that nobody has an honest use for. */
    OUTLANDISH
  }

  /**
   * @param start where the path begins in a target; at 0 it may begin with a host
   * @param bytes whether characters below U+0100 are bytes as they came
   */
  PathTokens(String target, int start, int end, boolean bytes) {
    EscapedText text = new EscapedText(target, start, end, bytes);
    while (text.next()) {
      add(text.value(), text.form());
    }
    if (endsWithDot) {
      kinds.add(Kind.TRAILING_DOT);
    }
    endName();
    if (start == 0 && size > 1 && isPlainSlash(tokens[0]) && isPlainSlash(tokens[1])) {
      kinds.add(Kind.AUTHORITY);
    }
    if (hasUnicodeEscape(target, start, end)) {
      kinds.add(Kind.OUTLANDISH);
    }
  }

  int size() {
    return size;
  }

  Set<Kind> kinds() {
    return kinds;
  }

  /** The character at an index; or the byte, if it {@linkplain #isByte is no character}. */
  int value(int index) {
    return tokens[index] & ~(ESCAPED | BYTE);
  }

  boolean isEscaped(int index) {
    return (tokens[index] & ESCAPED) != 0;
  }

  boolean isByte(int index) {
    return (tokens[index] & BYTE) != 0;
  }

  /** A space or control character as it is, or an escaped zero. */
  boolean isStop(int index) {
    return isStop(value(index), isEscaped(index));
  }

  private static boolean isStop(int value, boolean escaped) {
    return escaped ? value == 0 : value <= ' ' || value == 0x7F;
  }

  private void add(int value, Form form) {
    boolean escaped = form == Form.ESCAPED || form == Form.BYTE;
    if (size == tokens.length) {
      tokens = Arrays.copyOf(tokens, 2 * size);
    }
    tokens[size++] = value | (escaped ? ESCAPED : 0) | (form == Form.BYTE ? BYTE : 0);
    if (form == Form.OVERLONG) {
      kinds.add(Kind.OUTLANDISH);
    }
    if (form != Form.BYTE && isDelimiter(value, escaped)) {
      if (endsWithDot && !isDots()) {
        kinds.add(Kind.TRAILING_DOT_INSIDE);
      }
      endName();
    } else {
      nameChars++;
      nameDots += value == '.' ? 1 : 0;
      nameSpaces += value == ' ' ? 1 : 0;
      nameEscaped |= escaped;
      endsWithDot = value == '.' || value == ' ';
    }
  }

  /** Whether some take a character for a delimiter. */
  private boolean isDelimiter(int value, boolean escaped) {
    if (value == '/' && !escaped) {
      if (size > 1 && tokens[size - 2] == '/') {
        kinds.add(Kind.EMPTY_SEGMENT);
      }
      return true;
    }
    Kind kind =
        switch (value) {
          case '/' -> Kind.ESCAPED_SLASH;
          case '\\' -> escaped ? Kind.ESCAPED_BACKSLASH : Kind.BACKSLASH;
          case ';' -> escaped ? Kind.ESCAPED_SEMICOLON : Kind.SEMICOLON;
          case '#' -> escaped ? Kind.ESCAPED_END : Kind.HASH;
          case '?' -> Kind.ESCAPED_END; // a plain one begins the query
          default -> isStop(value, escaped) ? Kind.STOP : null;
        };
    if (kind != null) {
      kinds.add(kind);
    }
    return kind != null;
  }

  private void endName() {
    if (isDots()) {
      kinds.add(nameEscaped ? Kind.ESCAPED_DOTS : Kind.PLAIN_DOTS);
    } else if (nameDots > 0 && nameSpaces > 0 && nameDots + nameSpaces == nameChars) {
      kinds.add(Kind.OUTLANDISH);
    }
    nameChars = 0;
    nameDots = 0;
    nameSpaces = 0;
    nameEscaped = false;
    endsWithDot = false;
  }

  private boolean isDots() {
    return nameDots == nameChars && (nameDots == 1 || nameDots == 2);
  }

  private static boolean isPlainSlash(int token) {
    return token == '/' || token == '\\';
  }

  /** {@code %u002F}, which was never a standard. */
  private static boolean hasUnicodeEscape(String target, int start, int end) {
    for (int i = target.indexOf('%', start);
        i >= 0 && i + 5 < end;
        i = target.indexOf('%', i + 1)) {
      if ((target.charAt(i + 1) | 0x20) == 'u'
          && Ascii.isHex(target.charAt(i + 2))
          && Ascii.isHex(target.charAt(i + 3))
          && Ascii.isHex(target.charAt(i + 4))
          && Ascii.isHex(target.charAt(i + 5))) {
        return true;
      }
    }
    return false;
  }
}
