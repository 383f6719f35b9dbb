package dev.weir.spring.method.call;

import dev.weir.spring.method.RateLimitedException;
import dev.weir.spring.method.expression.AnnotationSite;
import dev.weir.spring.method.expression.MethodCall;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.core.ResolvableType;
import org.springframework.util.ClassUtils;
import org.springframework.util.ReflectionUtils;

/**
 * The method that is called instead of one that is denied: on the bean itself, so that it may be
 * private, and is not limited. Thread-safe.
 */
final class Fallback {
  private final Method method;
  private final boolean withException;

  private Fallback(Method method, boolean withException) {
    this.method = method;
    this.withException = withException;
    ReflectionUtils.makeAccessible(method);
  }

  /** The fallback of a method; null if it has none. */
  static @Nullable Fallback of(AnnotationSite site, String name) {
    if (name.isEmpty()) {
      return null;
    }
    List<Method> candidates =
        Arrays.stream(ReflectionUtils.getUniqueDeclaredMethods(site.type()))
            .filter(one -> one.getName().equals(name) && !one.isBridge())
            .filter(one -> !one.equals(site.method()))
            .toList();
    Fallback found = fitting(site, candidates, true);
    found = found == null ? fitting(site, candidates, false) : found;
    if (found != null) {
      return found;
    }
    String existing =
        candidates.isEmpty() ? "" : "; there is " + candidates.get(0).toGenericString();
    throw site.wrong(
        "fallback",
        name,
        "a method " + wanted(site, name) + existing,
        "Declare that method in the class, with the same parameters and result; the exception may"
            + " be left out.");
  }

  private static @Nullable Fallback fitting(
      AnnotationSite site, List<Method> candidates, boolean withException) {
    return candidates.stream()
        .filter(one -> fits(site, one, withException))
        .findFirst()
        .map(one -> new Fallback(one, withException))
        .orElse(null);
  }

  private static boolean fits(AnnotationSite site, Method candidate, boolean withException) {
    Method method = site.method();
    int count = method.getParameterCount();
    if (candidate.getParameterCount() != count + (withException ? 1 : 0)) {
      return false;
    }
    for (int i = 0; i < count; i++) {
      Class<?> given = parameter(method, i, site.type());
      if (!ClassUtils.isAssignable(parameter(candidate, i, site.type()), given)) {
        return false;
      }
    }
    if (withException && !isForDenials(parameter(candidate, count, site.type()))) {
      return false;
    }
    Class<?> result = result(method, site.type());
    return result == void.class || ClassUtils.isAssignable(result, result(candidate, site.type()));
  }

  private static boolean isForDenials(Class<?> type) {
    return type != Object.class && type.isAssignableFrom(RateLimitedException.class);
  }

  private static Class<?> parameter(Method method, int index, Class<?> type) {
    return ResolvableType.forMethodParameter(method, index, type).toClass();
  }

  private static Class<?> result(Method method, Class<?> type) {
    return ResolvableType.forMethodReturnType(method, type).toClass();
  }

  private static String wanted(AnnotationSite site, String name) {
    StringBuilder out = new StringBuilder();
    out.append(result(site.method(), site.type()).getSimpleName()).append(' ').append(name);
    out.append('(');
    for (int i = 0; i < site.method().getParameterCount(); i++) {
      out.append(parameter(site.method(), i, site.type()).getSimpleName()).append(", ");
    }
    return out.append("RateLimitedException)").toString();
  }

  @Nullable Object run(MethodCall call, RateLimitedException denied) throws Throwable {
    @Nullable Object[] args = call.getArgs();
    if (withException) {
      args = Arrays.copyOf(args, args.length + 1);
      args[args.length - 1] = denied;
    }
    try {
      return method.invoke(call.getTarget(), args);
    } catch (InvocationTargetException e) {
      throw e.getTargetException();
    }
  }
}
