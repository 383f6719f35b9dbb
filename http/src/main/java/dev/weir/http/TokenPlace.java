package dev.weir.http;

import dev.weir.Descriptor;
import org.jspecify.annotations.Nullable;

/**
 * Where a request carries its token.
 *
 * @param name of the header, in lower case, or of the cookie
 * @param scheme the word in front of the token, in any case; null if there is none
 */
public record TokenPlace(Kind kind, String name, @Nullable String scheme) {
  /** {@code Authorization: Bearer <token>}. */
  public static final TokenPlace BEARER = new TokenPlace(Kind.HEADER, "authorization", "Bearer");

  /** What carries it. */
  public enum Kind {
    HEADER,
    COOKIE
  }

  public TokenPlace {
    if (!Ascii.isToken(name) || (kind == Kind.HEADER && Ascii.hasUpper(name))) {
      throw Refusal.of("token", name, "the name of a cookie, or of a header in lower case");
    }
    if (scheme != null && (kind == Kind.COOKIE || !Ascii.isToken(scheme))) {
      throw Refusal.of("token scheme", scheme, "one word, and only for a header");
    }
  }

  /** A header that holds nothing but the token. */
  public static TokenPlace header(String name) {
    return new TokenPlace(Kind.HEADER, name, null);
  }

  /** A cookie that holds nothing but the token. */
  public static TokenPlace cookie(String name) {
    return new TokenPlace(Kind.COOKIE, name, null);
  }

  /**
   * The token in a header's value; null if it carries something else. {@linkplain
   * Descriptor#UNUSABLE Of no use} if there seems to be a token behind another word: many an
   * application takes whatever follows the first blank, or the first seven characters.
   */
  @Nullable String tokenIn(@Nullable String value) {
    if (value == null || scheme == null || Descriptor.isUnusable(value)) {
      return value;
    }
    int length = scheme.length();
    boolean fits =
        value.length() > length
            && value.charAt(length) <= ' '
            && value.regionMatches(true, 0, scheme, 0, length);
    if (fits) {
      return value.substring(length + 1).trim();
    }
    return TokenText.isIn(value) ? Descriptor.UNUSABLE : null;
  }
}
