package dev.weir.spring.method;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.springframework.core.annotation.AliasFor;

/**
 * Limits how often a method of a bean is called. A call that is denied throws a {@link
 * RateLimitedException}, unless there is a fallback.
 *
 * <p>On a class or an interface, it limits all public methods; one on a method takes precedence. It
 * may be a meta-annotation. Methods that return a {@code CompletionStage}, a {@code Mono} or
 * another reactive type are limited without blocking a thread. Calls inside the same object are not
 * limited, since they do not pass the proxy.
 */
@Target({ElementType.METHOD, ElementType.TYPE, ElementType.ANNOTATION_TYPE})
@Retention(RetentionPolicy.RUNTIME)
@Inherited
@Documented
public @interface RateLimited {
  /** The same as {@link #name}. */
  @AliasFor("name")
  String value() default "";

  /** The name of the limits: an entry of {@code weir.calls}, or of {@code calls} in the rules. */
  @AliasFor("value")
  String name() default "";

  /**
   * Whose counter it is: an expression such as {@code #user.id}, which gives a text, a number or
   * another value with a text of its own. Without one, all callers share one counter. A call whose
   * key is null or empty fails with an {@link IllegalArgumentException}.
   */
  String key() default "";

  /** How many permits a call costs: an expression such as {@code #items.size()}; at least 1. */
  String cost() default "1";

  /**
   * The method of the same class that is called instead of a call that is denied. It has the same
   * parameters, and may have a {@link RateLimitedException} as the last one.
   */
  String fallback() default "";

  /** How long a call may wait for permits, such as {@code 2s}; by default not at all. */
  String maxWait() default "";
}
