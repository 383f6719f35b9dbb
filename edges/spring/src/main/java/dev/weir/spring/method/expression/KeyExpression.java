package dev.weir.spring.method.expression;

import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.util.ClassUtils;

/**
 * Whose counter a call is charged to. A key is never guessed: a call without one fails.
 * Thread-safe.
 */
public final class KeyExpression {
  /** The key of methods without an expression: one counter for all callers. */
  public static final String ALL = "*";

  private final @Nullable CallExpression expression;

  /**
   * A key.
   *
   * @param expression null if all callers share one counter
   */
  KeyExpression(@Nullable CallExpression expression) {
    this.expression = expression;
  }

  /**
   * The key of a call.
   *
   * @throws IllegalArgumentException if it is null, empty, or a value without a text of its own
   */
  public String of(MethodCall call) {
    if (expression == null) {
      return ALL;
    }
    Object value = expression.of(call);
    Object one = value instanceof Optional<?> optional ? optional.orElse(null) : value;
    if (one == null) {
      throw expression.wrong("null", "a value, so that callers do not share a counter");
    }
    if (!hasText(one)) {
      throw expression.wrong(
          ClassUtils.getQualifiedName(one.getClass()),
          "a text, a number, or a class with toString");
    }
    String text = one.toString();
    if (text == null || text.isEmpty()) {
      throw expression.wrong("empty", "a value, so that callers do not share a counter");
    }
    return text;
  }

  /** Whether equal values have equal texts, and not those of objects in memory. */
  private static boolean hasText(Object value) {
    if (value instanceof Iterable<?> || value.getClass().isArray()) {
      return false;
    }
    try {
      return value.getClass().getMethod("toString").getDeclaringClass() != Object.class;
    } catch (NoSuchMethodException e) {
      return false; // every class has it
    }
  }
}
