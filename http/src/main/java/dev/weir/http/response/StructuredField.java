package dev.weir.http.response;

import java.util.Base64;

/**
 * Writes a list of strings with parameters as in RFC 9651, the form of the RateLimit headers.
 *
 * <p>The result is always well-formed: characters that a string cannot have become question marks,
 * numbers out of range become the nearest one in range.
 */
final class StructuredField {
  private static final long MAX_INTEGER = 999_999_999_999_999L;

  private final StringBuilder out = new StringBuilder(64);

  /** Starts an item; the parameters that follow belong to it. */
  StructuredField item(String text) {
    if (!out.isEmpty()) {
      out.append(", ");
    }
    string(text);
    return this;
  }

  StructuredField with(String parameter, long number) {
    out.append(';')
        .append(parameter)
        .append('=')
        .append(Math.max(-MAX_INTEGER, Math.min(MAX_INTEGER, number)));
    return this;
  }

  StructuredField with(String parameter, String text) {
    out.append(';').append(parameter).append('=');
    string(text);
    return this;
  }

  StructuredField with(String parameter, byte[] bytes) {
    String encoded = Base64.getEncoder().encodeToString(bytes);
    out.append(';').append(parameter).append("=:").append(encoded).append(':');
    return this;
  }

  private void string(String text) {
    out.append('"');
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == '"' || c == '\\') {
        out.append('\\');
      }
      out.append(c < ' ' || c > '~' ? '?' : c);
    }
    out.append('"');
  }

  @Override
  public String toString() {
    return out.toString();
  }
}
