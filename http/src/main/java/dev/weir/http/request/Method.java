package dev.weir.http.request;

import dev.weir.Descriptor;
import dev.weir.http.Ascii;
import java.util.Locale;

/** Normalizes request methods. */
public final class Method {
  private static final int MAX_CHARS = 32;

  private Method() {}

  /** The method in upper case; {@link Descriptor#UNUSABLE} if it is malformed or too long. */
  public static String of(String sent) {
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
