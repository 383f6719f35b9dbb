package dev.weir.http;

import dev.weir.Descriptor;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The host in an authority, in one spelling. */
final class Host {
  private static final int MAX_CHARS = 253;
  private static final int MAX_LABEL_CHARS = 63;

  private Host() {}

  /**
   * The host in lower case, without port and trailing dot; IPv6 in brackets and canonical. What no
   * host is called is {@linkplain Descriptor#UNUSABLE of no use}: a gateway may well pass it on,
   * and the application take it for one. So is an empty one, for which servers take the host that
   * is their default.
   */
  static String of(String authority) {
    String text = authority.trim();
    String host = text.startsWith("[") ? literal(text) : name(text);
    return host == null ? Descriptor.UNUSABLE : host;
  }

  private static @Nullable String name(String text) {
    int colon = text.indexOf(':');
    int end = colon < 0 ? text.length() : colon;
    if (!isPort(text, end)) {
      return null;
    }
    if (end > 0 && text.charAt(end - 1) == '.') {
      end--;
    }
    if (end == 0 || end > MAX_CHARS) {
      return null;
    }
    boolean upper = false;
    int labelStart = 0;
    for (int i = 0; i < end; i++) {
      char c = text.charAt(i);
      if (c == '.') {
        if (!isLabel(i - labelStart)) {
          return null;
        }
        labelStart = i + 1;
      } else if (!Ascii.isLetterOrDigit(c) && c != '-' && c != '_') {
        return null;
      }
      upper |= Ascii.isUpper(c);
    }
    if (!isLabel(end - labelStart)) {
      return null;
    }
    String host = text.substring(0, end);
    return upper ? host.toLowerCase(Locale.ROOT) : host;
  }

  private static boolean isLabel(int length) {
    return length > 0 && length <= MAX_LABEL_CHARS;
  }

  private static @Nullable String literal(String text) {
    int close = text.indexOf(']');
    if (close < 0 || !isPort(text, close + 1) || text.indexOf('%') >= 0) {
      return null;
    }
    Ip written = IpText.parse(text, 1, close);
    Ip address = Ip.parse(text, 1, close);
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
