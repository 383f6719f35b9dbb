package dev.weir.gateway.proxy;

import dev.weir.http.Ascii;

/** Knows which headers belong to one connection, and which only a proxy may set. */
final class HeaderNames {
  private static final char DELETE = 0x7f;

  private HeaderNames() {}

  /** Whether a header is about the connection and not the message (RFC 9110, 7.6.1). */
  static boolean isHopByHop(String name) {
    return switch (name.length()) {
      case 2 -> name.equalsIgnoreCase("te");
      case 7 -> name.equalsIgnoreCase("upgrade") || name.equalsIgnoreCase("trailer");
      case 10 -> name.equalsIgnoreCase("connection") || name.equalsIgnoreCase("keep-alive");
      case 14 -> name.equalsIgnoreCase("http2-settings");
      case 16 -> name.equalsIgnoreCase("proxy-connection");
      case 17 -> name.equalsIgnoreCase("transfer-encoding");
      case 18 -> name.equalsIgnoreCase("proxy-authenticate");
      case 19 -> name.equalsIgnoreCase("proxy-authorization");
      default -> false;
    };
  }

  /**
   * Whether a header says where a request comes from, or what it was before a proxy changed it.
   * From a client it would be a lie that the application may believe. Some applications do not
   * distinguish dashes and underscores.
   */
  static boolean isOfProxies(String name) {
    return switch (Ascii.toLower(name.charAt(0))) {
      case 'x' ->
          starts(name, "x-forwarded")
              || starts(name, "x-original-")
              || matches(name, "x-real-ip")
              || matches(name, "x-rewrite-url")
              || matches(name, "x-request-id");
      case 'f' -> matches(name, "forwarded");
      default -> false;
    };
  }

  /** Whether a trailer may be passed on: it says nothing about framing, routing or identity. */
  static boolean isTrailer(String name) {
    return !isHopByHop(name)
        && !isOfProxies(name)
        && !name.startsWith(":")
        && !name.equalsIgnoreCase("content-length")
        && !name.equalsIgnoreCase("host")
        && !name.equalsIgnoreCase("authorization")
        && !name.equalsIgnoreCase("set-cookie");
  }

  /** Whether a text is a name by RFC 9110, or that of a pseudo-header. */
  static boolean isName(String name) {
    for (int i = name.startsWith(":") ? 1 : 0; i < name.length(); i++) {
      char c = name.charAt(i);
      if (!Ascii.isLetterOrDigit(c) && "-_!#$%&'*+.^`|~".indexOf(c) < 0) {
        return false;
      }
    }
    return !name.isEmpty();
  }

  /** Whether a value has no control characters, but perhaps tabs. */
  static boolean isValue(String value) {
    for (int i = 0; i < value.length(); i++) {
      char c = value.charAt(i);
      if ((c < ' ' && c != '\t') || c == DELETE) {
        return false;
      }
    }
    return true;
  }

  private static boolean matches(String name, String lower) {
    return name.length() == lower.length() && starts(name, lower);
  }

  private static boolean starts(String name, String lower) {
    if (name.length() < lower.length()) {
      return false;
    }
    for (int i = 0; i < lower.length(); i++) {
      char c = name.charAt(i) == '_' ? '-' : Ascii.toLower(name.charAt(i));
      if (c != lower.charAt(i)) {
        return false;
      }
    }
    return true;
  }
}
