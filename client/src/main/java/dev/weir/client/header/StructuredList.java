package dev.weir.client.header;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Reads a list of items with parameters as in RFC 9651, the form of {@code RateLimit} and {@code
 * RateLimit-Policy}.
 *
 * <p>A malformed list is read as empty, as the RFC demands: half of a field is not a statement. Of
 * the values, texts and integers are kept; others are only checked for where they end.
 */
final class StructuredList {
  private static final int MAX_CHARS = 8_192;
  private static final int MAX_ITEMS = 64;
  private static final int MAX_DIGITS = 15;

  private final String text;
  private int at;

  /** An item whose value is a text. */
  record Item(String name, Map<String, Object> parameters) {
    OptionalLong number(String parameter) {
      return parameters.get(parameter) instanceof Long number
          ? OptionalLong.of(number)
          : OptionalLong.empty();
    }

    Optional<String> text(String parameter) {
      return parameters.get(parameter) instanceof String text
          ? Optional.of(text)
          : Optional.empty();
    }
  }

  private static final class Malformed extends Exception {
    Malformed() {
      super("malformed", null, false, false);
    }
  }

  private StructuredList(String text) {
    this.text = text;
  }

  /** The items whose values are texts; none if the list is malformed or excessively long. */
  static List<Item> parse(String text) {
    if (text.length() > MAX_CHARS) {
      return List.of();
    }
    try {
      return new StructuredList(text).items();
    } catch (Malformed e) {
      return List.of();
    }
  }

  private List<Item> items() throws Malformed {
    List<Item> items = new ArrayList<>();
    skipSpaces();
    while (at < text.length()) {
      Object value = value();
      Map<String, Object> parameters = parameters();
      if (value instanceof String name && items.size() < MAX_ITEMS) {
        items.add(new Item(name, parameters));
      }
      skipSpaces();
      if (at < text.length()) {
        expect(',');
        skipSpaces();
        if (at == text.length()) {
          throw new Malformed();
        }
      }
    }
    return items;
  }

  private Map<String, Object> parameters() throws Malformed {
    Map<String, Object> parameters = new HashMap<>();
    while (peek() == ';') {
      at++;
      skipSpaces();
      String key = key();
      Object value = true;
      if (peek() == '=') {
        at++;
        value = value();
      }
      if (parameters.size() < MAX_ITEMS) {
        parameters.put(key, value);
      }
    }
    return parameters;
  }

  private String key() throws Malformed {
    int start = at;
    char first = peek();
    if (first != '*' && !isLower(first)) {
      throw new Malformed();
    }
    while (isLower(peek()) || isDigit(peek()) || "_-.*".indexOf(peek()) >= 0) {
      at++;
    }
    return text.substring(start, at);
  }

  /** A text, a {@code Long}, or a stand-in for a value of another type. */
  private Object value() throws Malformed {
    char first = peek();
    if (first == '"') {
      return string();
    }
    if (first == '-' || isDigit(first)) {
      return number();
    }
    if (first == '@') {
      at++;
      return Optional.of(number());
    }
    if (first == ':') {
      return between(':', ':');
    }
    if (first == '%') {
      at++;
      return between('"', '"');
    }
    if (first == '?') {
      at++;
      char bit = peek();
      at++;
      if (bit != '0' && bit != '1') {
        throw new Malformed();
      }
      return bit == '1';
    }
    return token();
  }

  private Optional<String> between(char open, char close) throws Malformed {
    expect(open);
    int end = text.indexOf(close, at);
    if (end < 0) {
      throw new Malformed();
    }
    String content = text.substring(at, end);
    at = end + 1;
    return Optional.of(content);
  }

  private Optional<String> token() throws Malformed {
    int start = at;
    if (peek() != '*' && !Character.isLetter(peek())) {
      throw new Malformed();
    }
    while (peek() > ' ' && peek() < 0x7f && "\"(),;<=>?@[\\]{}".indexOf(peek()) < 0) {
      at++;
    }
    if (at == start) {
      throw new Malformed();
    }
    return Optional.of(text.substring(start, at));
  }

  private String string() throws Malformed {
    expect('"');
    StringBuilder content = new StringBuilder();
    for (char c = next(); c != '"'; c = next()) {
      char plain = c;
      if (c == '\\') {
        plain = next();
        if (plain != '"' && plain != '\\') {
          throw new Malformed();
        }
      }
      content.append(plain);
    }
    return content.toString();
  }

  private Object number() throws Malformed {
    int start = at;
    if (peek() == '-') {
      at++;
    }
    int digits = at;
    while (isDigit(peek())) {
      at++;
    }
    if (at == digits || at - digits > MAX_DIGITS) {
      throw new Malformed();
    }
    Object whole = Long.parseLong(text, start, at, 10);
    if (peek() != '.') {
      return whole;
    }
    at++;
    int fraction = at;
    while (isDigit(peek())) {
      at++;
    }
    if (at == fraction || at - fraction > 3) {
      throw new Malformed();
    }
    return Optional.of(whole);
  }

  private char next() throws Malformed {
    char c = peek();
    if (c < ' ' || c > '~') {
      throw new Malformed();
    }
    at++;
    return c;
  }

  /** The next character; 0 at the end. */
  private char peek() {
    return at < text.length() ? text.charAt(at) : 0;
  }

  private void expect(char c) throws Malformed {
    if (peek() != c) {
      throw new Malformed();
    }
    at++;
  }

  private void skipSpaces() {
    while (peek() == ' ' || peek() == '\t') {
      at++;
    }
  }

  private static boolean isLower(char c) {
    return c >= 'a' && c <= 'z';
  }

  private static boolean isDigit(char c) {
    return c >= '0' && c <= '9';
  }
}
