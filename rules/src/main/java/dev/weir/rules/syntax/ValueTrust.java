package dev.weir.rules.syntax;

import dev.weir.http.identity.HttpReader;

/** Which values of a request a client can forge, and which are verified. */
public final class ValueTrust {
  private ValueTrust() {}

  /** Whether the client chooses the value. */
  public static boolean isForgeable(String name) {
    return name.startsWith("header ") || name.startsWith("cookie ");
  }

  static boolean isVerified(String name) {
    return name.startsWith("jwt ")
        || name.startsWith("trusted-header ")
        || name.equals(HttpReader.PRINCIPAL);
  }
}
