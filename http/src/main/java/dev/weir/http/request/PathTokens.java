package dev.weir.http.request;

import dev.weir.http.Ascii;
import dev.weir.http.request.EscapedText.Form;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.Set;

/** The characters of a path, decoded once, and the kinds of text in it that servers disagree on. */
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

  /** A kind of text that servers disagree on. */
  enum Kind {
    /** {@code %2F}. */
    ESCAPED_SLASH,
    /** {@code \}. */
    BACKSLASH,
    /** {@code %5C}. */
    ESCAPED_BACKSLASH,
    /** {@code ;}. */
    SEMICOLON,
    /** {@code %3B}. */
    ESCAPED_SEMICOLON,
    /** The start of a fragment, which no request target has. */
    HASH,
    /** An escaped question mark or hash: the end of the path behind a gateway that decodes it. */
    ESCAPED_END,
    /** A space, control character or escaped zero: to some servers the end of the path. */
    STOP,
    /** A dot segment without escapes. */
    PLAIN_DOTS,
    /** A dot segment with at least one escaped dot. */
    ESCAPED_DOTS,
    /** A name that ends with a dot or space, before a delimiter. */
    TRAILING_DOT_INSIDE,
    /** A name that ends with a dot or space, at the end of the path. */
    TRAILING_DOT,
    /** Two adjacent slashes. */
    EMPTY_SEGMENT,
    /** Two slashes at the start, which to some servers precede a host. */
    AUTHORITY,
    /** A spelling that few servers decode and no honest client sends. */
    UNUSUAL
  }

  /**
   * Decodes the path of a target.
   *
   * @param start the start of the path in the target; at 0 the path may start with a host
   * @param bytes whether characters below U+0100 are raw bytes
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
      kinds.add(Kind.UNUSUAL);
    }
  }

  int size() {
    return size;
  }

  Set<Kind> kinds() {
    return kinds;
  }

  /** The character at an index, or the byte if it {@linkplain #isByte is one}. */
  int value(int index) {
    return tokens[index] & ~(ESCAPED | BYTE);
  }

  boolean isEscaped(int index) {
    return (tokens[index] & ESCAPED) != 0;
  }

  boolean isByte(int index) {
    return (tokens[index] & BYTE) != 0;
  }

  /** Whether there is an unescaped space or control character, or an escaped zero. */
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
      kinds.add(Kind.UNUSUAL);
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

  /** Whether some servers take a character for a delimiter; records its kind. */
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
          case '?' -> Kind.ESCAPED_END; // an unescaped one starts the query
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
      kinds.add(Kind.UNUSUAL);
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

  /** Whether the target has an escape like {@code %u002F}, which was never standard. */
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
