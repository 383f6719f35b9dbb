package dev.weir.http.address;

import dev.weir.http.Ascii;
import org.jspecify.annotations.Nullable;

/** An address that may carry a port: {@code 192.0.2.1:80}, {@code [2001:db8::1]:80}. */
final class ForwardedNode {
  private ForwardedNode() {}

  /** The address; null for any other text: names, {@code unknown}, {@code _hidden}, garbage. */
  static @Nullable Ip address(String text, int from, int to) {
    while (from < to && text.charAt(from) <= ' ') {
      from++;
    }
    while (to > from && text.charAt(to - 1) <= ' ') {
      to--;
    }
    if (from < to && text.charAt(from) == '[') {
      int close = text.indexOf(']', from);
      boolean closed = close > 0 && close < to && isPort(text, close + 1, to);
      return closed ? Ip.parseIpv6(text, from + 1, close) : null;
    }
    int colon = text.indexOf(':', from);
    if (colon < 0 || colon >= to || text.lastIndexOf(':', to - 1) != colon) {
      return Ip.parse(text, from, to); // no port: IPv6 without brackets cannot have one either
    }
    return isPort(text, colon, to) ? Ip.parse(text, from, colon) : null;
  }

  /** Empty, or a colon and a port. RFC 7239 lets proxies obfuscate the port: {@code :_x1}. */
  private static boolean isPort(String text, int from, int to) {
    if (from == to) {
      return true;
    }
    if (text.charAt(from) != ':' || to - from < 2) {
      return false;
    }
    boolean hidden = text.charAt(from + 1) == '_';
    for (int i = from + 1; i < to; i++) {
      char c = text.charAt(i);
      boolean fits = hidden ? Ascii.isLetterOrDigit(c) || "._-".indexOf(c) >= 0 : Ascii.isDigit(c);
      if (!fits) {
        return false;
      }
    }
    return hidden || to - from <= 6;
  }
}
