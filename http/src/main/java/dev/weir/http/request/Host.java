package dev.weir.http.request;

import dev.weir.Descriptor;
import dev.weir.http.Ascii;
import dev.weir.http.address.Ip;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Normalizes the host of an authority. */
public final class Host {
  private static final int MAX_CHARS = 253;
  private static final int MAX_LABEL_CHARS = 63;

  private Host() {}

  /**
   * The host in lower case, without port and trailing dot; IPv6 in brackets and canonical. A
   * malformed host is {@link Descriptor#UNUSABLE}, because a gateway may pass it on and the
   * application accept it. So is an empty host, for which servers use their default host.
   */
  public static String of(String authority) {
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
    Ip address = Ip.parseIpv6(text, 1, close);
    if (address == null) {
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
