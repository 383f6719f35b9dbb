package dev.weir.http.request;

import dev.weir.Descriptor;
import dev.weir.http.request.EscapedText.Form;

/**
 * Decodes the value of a cookie into one spelling.
 *
 * <p>Applications disagree on the decoding. Express, PHP and Rails decode escapes, and PHP and
 * Rails take a plus for a space; Python decodes quotes and the escapes in them, {@code "\141bc"};
 * Go and Java remove quotes; some take the text as it is. All of that is decoded here, once, so
 * that no client becomes a new caller by another spelling of a cookie that the application
 * considers equal. Two cookies that some application distinguishes are equal here only if one is a
 * spelling of the other.
 */
public final class CookieValue {
  private CookieValue() {}

  /**
   * Decodes a value; {@link Descriptor#UNUSABLE} if its quote does not end, or ends before the
   * value.
   */
  public static String of(String sent) {
    String text = sent.trim();
    if (isPlain(text)) {
      return text;
    }
    if (text.startsWith("\"")) {
      if (quoteEnd(text) != text.length() - 1) {
        return Descriptor.UNUSABLE; // to some, the quoted value continues after the semicolon
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

  /** The index of the closing quote, or the length of the text. */
  private static int quoteEnd(String text) {
    int at = 1;
    while (at < text.length() && text.charAt(at) != '"') {
      at += text.charAt(at) == '\\' ? 2 : 1;
    }
    return Math.min(at, text.length());
  }

  /** The text between the quotes; a backslash escapes three octal digits or one character. */
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
        PercentEncoding.escape(value, out);
      } else if (value == '%' || PercentEncoding.isHidden(value)) {
        PercentEncoding.escapeAsUtf8(value, out); // so that different values stay different
      } else {
        out.appendCodePoint(value == '+' ? ' ' : value);
      }
    }
    return out.toString();
  }
}
