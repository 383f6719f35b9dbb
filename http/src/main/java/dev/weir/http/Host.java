package dev.weir.http;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The host in an authority, in one spelling. */
final class Host {
  private static final int MOST_CHARS = 253;

  private Host() {}

  /**
   * The host in lower case, without user, port and trailing dot; IPv6 in brackets and canonical.
   * Null if there is none, or nothing that a host can be called.
   */
  static @Nullable String of(String authority) {
    String text = authority.trim();
    int start = text.lastIndexOf('@') + 1;
    if (text.startsWith("[", start)) {
      return literal(text, start);
    }
    int colon = text.indexOf(':', start);
    int end = colon < 0 ? text.length() : colon;
    if (!isPort(text, end)) {
      return null;
    }
    if (end > start && text.charAt(end - 1) == '.') {
      end--;
    }
    if (end == start || end - start > MOST_CHARS) {
      return null;
    }
    boolean upper = false;
    for (int i = start; i < end; i++) {
      char c = text.charAt(i);
      if (!Ascii.isLetterOrDigit(c) && c != '-' && c != '.' && c != '_') {
        return null;
      }
      upper |= Ascii.isUpper(c);
    }
    String host = text.substring(start, end);
    return upper ? host.toLowerCase(Locale.ROOT) : host;
  }

  private static @Nullable String literal(String text, int start) {
    int close = text.indexOf(']', start);
    if (close < 0 || !isPort(text, close + 1)) {
      return null;
    }
    Ip written = IpText.parse(text, start + 1, close);
    Ip address = Ip.parse(text, start + 1, close);
    if (written == null || address == null || written.isIpv4()) {
      return null;
    }
    return address.isIpv4() ? address.toString() : "[" + address + "]";
  }

  private static boolean isPort(String text, int from) {
    if (from == text.length()) {
      return true;
    }
    for (int i = from + 1; i < text.length(); i++) {
      if (!Ascii.isDigit(text.charAt(i))) {
        return false;
      }
    }
    return text.charAt(from) == ':';
  }
}
