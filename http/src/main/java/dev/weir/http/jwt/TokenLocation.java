package dev.weir.http.jwt;

import dev.weir.Descriptor;
import dev.weir.http.Ascii;
import dev.weir.internal.Rejections;
import org.jspecify.annotations.Nullable;

/**
 * Where a request carries its token.
 *
 * @param kind whether the token is in a header or in a cookie
 * @param name of the header, in lower case, or of the cookie
 * @param scheme the word before the token, compared in any case; null if there is none
 */
public record TokenLocation(Kind kind, String name, @Nullable String scheme) {
  /** {@code Authorization: Bearer <token>}. */
  public static final TokenLocation BEARER =
      new TokenLocation(Kind.HEADER, "authorization", "Bearer");

  /** The part of a request that carries the token. */
  public enum Kind {
    /** A header. */
    HEADER,
    /** A cookie. */
    COOKIE
  }

  /** Rejects a malformed name or scheme with {@link IllegalArgumentException}. */
  public TokenLocation {
    if (!Ascii.isToken(name) || (kind == Kind.HEADER && Ascii.hasUpper(name))) {
      throw Rejections.of("token", name, "the name of a cookie, or of a header in lower case");
    }
    if (scheme != null && (kind == Kind.COOKIE || !Ascii.isToken(scheme))) {
      throw Rejections.of("token scheme", scheme, "one word, and only for a header");
    }
  }

  /** A header whose whole value is the token. */
  public static TokenLocation header(String name) {
    return new TokenLocation(Kind.HEADER, name, null);
  }

  /** A cookie whose whole value is the token. */
  public static TokenLocation cookie(String name) {
    return new TokenLocation(Kind.COOKIE, name, null);
  }

  /**
   * The token in the value of a header; null if the value holds something else. {@link
   * Descriptor#UNUSABLE} if another word seems to precede a token: many applications take whatever
   * follows the first blank, or the first seven characters.
   */
  public @Nullable String tokenIn(@Nullable String value) {
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
    return TokenText.containsToken(value) ? Descriptor.UNUSABLE : null;
  }
}
