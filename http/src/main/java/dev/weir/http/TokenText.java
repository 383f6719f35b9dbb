package dev.weir.http;

/**
 * What a text is that stands where a token should, as far as its characters tell.
 *
 * <p>Many a library that decodes base64url drops what does not belong there, blanks and padding
 * among it, and the bits of a last character that are not needed. So whoever has one token could
 * spell it in any number of ways, each of them new to whoever remembers tokens, and each of them
 * good to some application. Only the one spelling that issuers write is looked at.
 */
enum TokenText {
  /** Header, payload and signature: worth verifying. */
  SIGNED,
  /** A header and a payload, and nothing behind. */
  UNSIGNED,
  /** The five parts of a token that is encrypted. */
  ENCRYPTED,
  /** Another spelling of a token, or a token and more: one to some, none to others. */
  DOUBTFUL,
  /** To nobody a token of this kind; perhaps a key that means nothing in itself. */
  OTHER;

  private static final int SIGNED_DOTS = 2;
  private static final int ENCRYPTED_DOTS = 4;

  /** How every token begins, save such as nobody issues: the letters for <code>{"</code>. */
  private static final String BEGINNING = "eyJ";

  static TokenText of(String text) {
    int dots = 0;
    int start = 0;
    boolean proper = true;
    boolean empty = false;
    for (int i = 0; i <= text.length(); i++) {
      char c = i < text.length() ? text.charAt(i) : '.';
      if (c == '.') {
        boolean last = i == text.length();
        dots += last ? 0 : 1;
        empty |= i == start && !last;
        proper &= isWhole(text, start, i);
        start = i + 1;
      } else {
        proper &= digit(c) >= 0;
      }
    }
    if (dots < SIGNED_DOTS) {
      return OTHER;
    }
    if (!proper || (empty && dots != ENCRYPTED_DOTS)) {
      return DOUBTFUL;
    }
    boolean ends = text.endsWith(".");
    return switch (dots) {
      case SIGNED_DOTS -> ends ? UNSIGNED : SIGNED;
      case ENCRYPTED_DOTS -> ends ? DOUBTFUL : ENCRYPTED; // with an empty key, where it is agreed
      default -> DOUBTFUL;
    };
  }

  /** Whether the bits of a part are whole bytes, with nothing but zeros left over. */
  private static boolean isWhole(String text, int start, int end) {
    int over = (end - start) % 4;
    if (over < 2) {
      return over == 0;
    }
    return (digit(text.charAt(end - 1)) & (over == 2 ? 0b1111 : 0b11)) == 0;
  }

  /** The six bits that a character stands for; negative if it is none of those. */
  private static int digit(char c) {
    if (Ascii.isUpper(c)) {
      return c - 'A';
    }
    if (Ascii.isLower(c)) {
      return c - 'a' + 26;
    }
    if (Ascii.isDigit(c)) {
      return c - '0' + 52;
    }
    return c == '-' ? 62 : c == '_' ? 63 : -1;
  }

  /** Whether something like a signed token stands anywhere in a text. */
  static boolean isIn(String text) {
    int from = text.indexOf(BEGINNING);
    while (from >= 0) {
      int first = partEnd(text, from);
      int second = isDot(text, first) ? partEnd(text, first + 1) : first;
      if (second > first + 1 && isDot(text, second)) {
        return true;
      }
      from = text.indexOf(BEGINNING, second);
    }
    return false;
  }

  private static boolean isDot(String text, int at) {
    return at < text.length() && text.charAt(at) == '.';
  }

  private static int partEnd(String text, int start) {
    int end = start;
    while (end < text.length() && digit(text.charAt(end)) >= 0) {
      end++;
    }
    return end;
  }
}
