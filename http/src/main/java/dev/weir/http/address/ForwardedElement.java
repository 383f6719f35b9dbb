package dev.weir.http.address;

import dev.weir.http.Ascii;
import org.jspecify.annotations.Nullable;

/**
 * One element of a {@code Forwarded} header: {@code for="[2001:db8::1]:80";proto=https}.
 *
 * <p>More lenient than RFC 7239 in one point: an address with port or brackets needs no quotes,
 * because proxies write it so and it is not ambiguous. IPv6 needs its brackets.
 */
final class ForwardedElement {
  private final String text;
  private final int to;
  private int at;

  private ForwardedElement(String text, int from, int to) {
    this.text = text;
    this.at = from;
    this.to = to;
  }

  /**
   * The address of the {@code for} parameter; null if there is none, if there are several, or if
   * the element is malformed.
   */
  static @Nullable Ip address(String text, int from, int to) {
    String node = new ForwardedElement(text, from, to).node();
    if (node == null || (node.indexOf(':') != node.lastIndexOf(':') && !node.startsWith("["))) {
      return null;
    }
    return ForwardedNode.address(node, 0, node.length());
  }

  private @Nullable String node() {
    String node = null;
    while (true) {
      skipBlanks();
      int name = at;
      while (at < to && Ascii.isToken(text.charAt(at))) {
        at++;
      }
      boolean isFor = at - name == 3 && text.regionMatches(true, name, "for", 0, 3);
      if (at == name || at == to || text.charAt(at++) != '=') {
        return null;
      }
      String value = value();
      if (value == null || (isFor && node != null)) {
        return null;
      }
      node = isFor ? value : node;
      skipBlanks();
      if (at == to) {
        return node;
      }
      if (text.charAt(at++) != ';') {
        return null;
      }
      skipBlanks();
      if (at == to) {
        return node;
      }
    }
  }

  private @Nullable String value() {
    if (at < to && text.charAt(at) == '"') {
      return quoted();
    }
    int start = at;
    while (at < to && (Ascii.isToken(text.charAt(at)) || "[]:".indexOf(text.charAt(at)) >= 0)) {
      at++;
    }
    return start == at ? null : text.substring(start, at);
  }

  private @Nullable String quoted() {
    StringBuilder value = new StringBuilder();
    for (at++; at < to; at++) {
      char c = text.charAt(at);
      if (c == '"') {
        at++;
        return value.toString();
      }
      if (c == '\\' && ++at == to) {
        return null;
      }
      value.append(text.charAt(at));
    }
    return null;
  }

  private void skipBlanks() {
    while (at < to && text.charAt(at) <= ' ') {
      at++;
    }
  }
}
