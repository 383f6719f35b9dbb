package dev.weir.http;

import dev.weir.Descriptor;
import java.util.Locale;

/** A method in one spelling. */
final class Method {
  private static final int MAX_CHARS = 32;

  private Method() {}

  /** In upper case; {@linkplain Descriptor#UNUSABLE of no use} if no method is called so. */
  static String of(String sent) {
    if (sent.length() > MAX_CHARS || !Ascii.isToken(sent)) {
      return Descriptor.UNUSABLE;
    }
    for (int i = 0; i < sent.length(); i++) {
      if (Ascii.isLower(sent.charAt(i))) {
        return sent.toUpperCase(Locale.ROOT);
      }
    }
    return sent;
  }
}
