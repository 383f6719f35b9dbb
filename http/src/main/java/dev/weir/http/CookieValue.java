package dev.weir.http;

import dev.weir.Descriptor;
import dev.weir.http.EscapedText.Form;

/**
 * The value of a cookie in one spelling.
 *
 * <p>Applications disagree how to read one. Express, PHP and Rails undo escapes, and PHP and Rails
 * take a plus for a space; Python undoes quotes with what is escaped in them, {@code "\141bc"}; Go
 * and Java undo quotes; some take the text as it is. All of that is undone here, once, so that
 * nobody is a new caller by another spelling of a cookie that the application takes for the same.
 * Two cookies that some application tells apart may be one here only if one of them is a spelling
 * of the other.
 */
final class CookieValue {
  private CookieValue() {}

  /**
   * The value; {@linkplain Descriptor#UNUSABLE of no use} if a quote has no end, or one before that
   * of the value.
   */
  static String of(String written) {
    String text = written.trim();
    if (isPlain(text)) {
      return text;
    }
    if (text.startsWith("\"")) {
      if (quoteEnd(text) != text.length() - 1) {
        return Descriptor.UNUSABLE; // to some, the quoted value goes on behind the semicolon
      }
      text = unquoted(text);
    }
    return decoded(text).trim();
  }

  private static boolean isPlain(String text) {
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == '%' || c == '+' || c > '~' || (c == '"' && i == 0)) {
        return false;
      }
    }
    return true;
  }

  /** Where the first quote ends, or the length of the text. */
  private static int quoteEnd(String text) {
    int at = 1;
    while (at < text.length() && text.charAt(at) != '"') {
      at += text.charAt(at) == '\\' ? 2 : 1;
    }
    return Math.min(at, text.length());
  }

  /** What stands between the quotes, where a backslash comes before octal digits or a character. */
  private static String unquoted(String text) {
    StringBuilder out = new StringBuilder(text.length());
    int end = text.length() - 1;
    for (int i = 1; i < end; i++) {
      char c = text.charAt(i);
      if (c != '\\' || i + 1 == end) {
        out.append(c);
      } else if (i + 3 < end && isOctal(text, i + 1)) {
        out.append((char) Integer.parseInt(text, i + 1, i + 4, 8));
        i += 3;
      } else {
        out.append(text.charAt(++i));
      }
    }
    return out.toString();
  }

  private static boolean isOctal(String text, int at) {
    return text.charAt(at) >= '0'
        && text.charAt(at) <= '3'
        && Character.digit(text.charAt(at + 1), 8) >= 0
        && Character.digit(text.charAt(at + 2), 8) >= 0;
  }

  private static String decoded(String text) {
    StringBuilder out = new StringBuilder(text.length());
    EscapedText characters = new EscapedText(text, 0, text.length(), true);
    while (characters.next()) {
      int value = characters.value();
      if (characters.form() == Form.BYTE || characters.form() == Form.OVERLONG) {
        Percent.escape(value, out);
      } else if (value == '%' || Percent.isHidden(value)) {
        Percent.escapeAsUtf8(value, out); // so that no two values become one
      } else {
        out.appendCodePoint(value == '+' ? ' ' : value);
      }
    }
    return out.toString();
  }
}
