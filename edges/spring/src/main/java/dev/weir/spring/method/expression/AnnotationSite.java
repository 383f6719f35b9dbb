package dev.weir.spring.method.expression;

import dev.weir.spring.WeirStartupException;
import dev.weir.spring.method.ConcurrencyLimited;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import org.jspecify.annotations.Nullable;
import org.springframework.core.annotation.MergedAnnotations;
import org.springframework.core.annotation.MergedAnnotations.SearchStrategy;
import org.springframework.util.ClassUtils;

/**
 * An annotation of a method, and what is wrong with it.
 *
 * @param annotation its simple name
 * @param method the method of the bean's class
 * @param declared the method that has the annotation, whose names of parameters count
 * @param type the class of the bean
 */
public record AnnotationSite(String annotation, Method method, Method declared, Class<?> type) {
  /** The class and the method. */
  public String name() {
    return (isByInterface(type) ? declared.getDeclaringClass() : type).getName()
        + "."
        + method.getName();
  }

  /** An attribute with its value, as the user wrote it. */
  String attribute(String attribute, String value) {
    return name() + ": @" + annotation + "(" + attribute + " = \"" + value + "\")";
  }

  /** Whether it is for permits that are held. */
  public boolean isConcurrency() {
    return annotation.equals(ConcurrencyLimited.class.getSimpleName());
  }

  /** Whether the method or its class has another annotation. */
  public boolean has(String other) {
    return MergedAnnotations.from(method, SearchStrategy.TYPE_HIERARCHY).isPresent(other)
        || MergedAnnotations.from(type, SearchStrategy.TYPE_HIERARCHY).isPresent(other);
  }

  /** The method is of a kind that cannot be limited. */
  public WeirStartupException unsupported(String kind, String expected, String remedy) {
    return new WeirStartupException(
        name() + ": @" + annotation + ": " + kind + " (expected: " + expected + ")", remedy);
  }

  /**
   * An attribute is wrong.
   *
   * @param value as the user wrote it
   */
  public WeirStartupException wrong(
      String attribute, String value, String expected, String remedy) {
    return wrong(attribute, value, expected, remedy, null);
  }

  /** An attribute is wrong, for a reason that is known. */
  public WeirStartupException wrong(
      String attribute, String value, String expected, String remedy, @Nullable Throwable cause) {
    String problem = attribute(attribute, value) + " (expected: " + expected + ")";
    return cause == null
        ? new WeirStartupException(problem, remedy)
        : new WeirStartupException(problem, remedy, cause);
  }

  /** The rules have no such limits, or they are of the other kind. */
  public WeirStartupException unknown(String name, String problem, IllegalArgumentException cause) {
    String calls = "Add weir.calls." + name + ", or mend the name.";
    if (!problem.contains("; ask ")) {
      String expected = problem.substring(Math.max(0, problem.indexOf('(')));
      return new WeirStartupException(attribute("name", name) + " " + expected, calls, cause);
    }
    return isConcurrency()
        ? wrong(
            "name",
            name,
            "a call with concurrent",
            "Annotate the method with @RateLimited, or add concurrent to weir.calls." + name + ".",
            cause)
        : wrong(
            "name",
            name,
            "a call without concurrent",
            "Annotate the method with @ConcurrencyLimited.",
            cause);
  }

  /** A class that has annotated methods and cannot have a proxy. */
  public static WeirStartupException finalClass(Class<?> type) {
    return new WeirStartupException(
        type.getName() + ": final, with limited methods (expected: a class that can be extended)",
        "Make the class not final, or set spring.aop.proxy-target-class=false and inject it by an"
            + " interface.");
  }

  /** Whether objects of a class are known by their interfaces only, so that it may be final. */
  public static boolean isByInterface(Class<?> type) {
    return Proxy.isProxyClass(type) || ClassUtils.isLambdaClass(type);
  }
}
