package dev.weir.domain;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A place in the tree of a domain, as it is configured: one step of the descriptors that lead
 * there.
 *
 * @param key of the entry; with {@code *} in it, key and value are compared as one text, {@code
 *     key_value}
 * @param value of the entry, in which {@code *} stands for any characters, also none; empty if any
 *     value will do
 * @param shared whether all values that fit the pattern share one counter
 * @param valueInMetric whether metrics are told apart by the value of the request
 * @param rule what holds for descriptors that end here; null if nothing does
 * @param below where descriptors go on
 */
public record Branch(
    String key,
    String value,
    boolean shared,
    boolean valueInMetric,
    @Nullable DomainRule rule,
    List<Branch> below) {

  public Branch {
    below = List.copyOf(below);
    if (key.isEmpty()) {
      throw new IllegalArgumentException("key: nothing (expected: a key)");
    }
    if (shared && !isPattern(key, value)) {
      throw new IllegalArgumentException(
          "shared: " + text(key, value) + " (expected: a pattern with *)");
    }
  }

  /** Key and value as one text, as metrics have it. */
  static String text(String key, String value) {
    return value.isEmpty() ? key : key + "_" + value;
  }

  String text() {
    return text(key, value);
  }

  boolean isPattern() {
    return isPattern(key, value);
  }

  /** Whether the pattern is on key and value together. */
  boolean isAcross() {
    return key.indexOf('*') >= 0;
  }

  private static boolean isPattern(String key, String value) {
    return key.indexOf('*') >= 0 || value.indexOf('*') >= 0;
  }
}
