package dev.weir.spring.method;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.springframework.core.annotation.AliasFor;

/**
 * Limits how many calls of a method of a bean are in flight at the same time. A call that is denied
 * throws a {@link RateLimitedException}, unless there is a fallback.
 *
 * <p>The permit is held until the method returns or throws, or until what it returns is complete,
 * failed or cancelled, if that is a {@code CompletionStage}, a {@code Mono} or another reactive
 * type. It is renewed meanwhile. Otherwise like {@link RateLimited}; a method may have both.
 */
@Target({ElementType.METHOD, ElementType.TYPE, ElementType.ANNOTATION_TYPE})
@Retention(RetentionPolicy.RUNTIME)
@Inherited
@Documented
public @interface ConcurrencyLimited {
  /** The same as {@link #name}. */
  @AliasFor("name")
  String value() default "";

  /** The name of the limits: an entry of {@code weir.calls}, or of {@code calls} in the rules. */
  @AliasFor("value")
  String name() default "";

  /** Whose permits these are; see {@link RateLimited#key}. */
  String key() default "";

  /**
   * The method that is called instead of a call that is denied; see {@link RateLimited#fallback}.
   */
  String fallback() default "";

  /** How long a call may wait for a permit, such as {@code 2s}; by default not at all. */
  String maxWait() default "";
}
