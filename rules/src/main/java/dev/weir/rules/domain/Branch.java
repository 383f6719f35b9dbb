package dev.weir.rules.domain;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A node in the configured tree of a domain: one step of the descriptors that lead to it.
 *
 * @param key of the entry; if it contains {@code *}, key and value are compared as one text, {@code
 *     key_value}
 * @param value of the entry, in which {@code *} stands for any characters, also none; empty matches
 *     every value
 * @param shared whether all values that match the pattern share one counter
 * @param valueInMetric whether the request's value is part of the metric's name
 * @param rule what applies to descriptors that end here; null if nothing does
 * @param children the next steps
 */
public record Branch(
    String key,
    String value,
    boolean shared,
    boolean valueInMetric,
    @Nullable DomainRule rule,
    List<Branch> children) {

  /**
   * Checks the key and that only a pattern is shared.
   *
   * @throws IllegalArgumentException if the key is empty, or {@code shared} without a star
   */
  public Branch {
    children = List.copyOf(children);
    if (key.isEmpty()) {
      throw new IllegalArgumentException("key: nothing (expected: a key)");
    }
    if (shared && !isPattern(key, value)) {
      throw new IllegalArgumentException(
          "shared: " + text(key, value) + " (expected: a pattern with *)");
    }
  }

  /** Key and value joined as in metric names. */
  static String text(String key, String value) {
    return value.isEmpty() ? key : key + "_" + value;
  }

  String text() {
    return text(key, value);
  }

  boolean isPattern() {
    return isPattern(key, value);
  }

  /** Whether the pattern is compared with key and value together. */
  boolean isKeyPattern() {
    return key.indexOf('*') >= 0;
  }

  private static boolean isPattern(String key, String value) {
    return key.indexOf('*') >= 0 || value.indexOf('*') >= 0;
  }
}
