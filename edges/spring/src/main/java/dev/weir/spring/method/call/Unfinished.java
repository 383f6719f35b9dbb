package dev.weir.spring.method.call;

import java.lang.reflect.Type;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;
import org.springframework.core.ReactiveAdapterRegistry;
import org.springframework.core.ResolvableType;
import org.springframework.http.HttpEntity;
import org.springframework.util.ClassUtils;

/**
 * Results whose work goes on after the method has returned, so that nobody knows when a permit can
 * be given back.
 */
final class Unfinished {
  static final String EXPECTED =
      "a result that is there when the method returns, a CompletableFuture, a Mono or a Flux";

  private static final boolean HTTP = isPresent("org.springframework.http.HttpEntity");
  private static final boolean REACTIVE = isPresent("org.reactivestreams.Publisher");

  private static final Set<String> OTHERS =
      Set.of(
          "java.util.concurrent.Callable",
          "java.util.stream.BaseStream",
          "org.springframework.web.context.request.async.DeferredResult",
          "org.springframework.web.context.request.async.WebAsyncTask",
          "org.springframework.web.servlet.mvc.method.annotation.ResponseBodyEmitter",
          "org.springframework.web.servlet.mvc.method.annotation.StreamingResponseBody");

  private static final ClassValue<Boolean> CLASSES =
      new ClassValue<>() {
        @Override
        protected Boolean computeValue(Class<?> type) {
          return CompletionStage.class.isAssignableFrom(type)
              || Future.class.isAssignableFrom(type)
              || isOther(type)
              || isReactive(type);
        }
      };

  private Unfinished() {}

  private static boolean isPresent(String type) {
    return ClassUtils.isPresent(type, Unfinished.class.getClassLoader());
  }

  private static boolean isReactive(Class<?> type) {
    return REACTIVE && ReactiveAdapterRegistry.getSharedInstance().getAdapter(type) != null;
  }

  private static boolean isOther(@Nullable Class<?> type) {
    if (type == null) {
      return false;
    }
    if (OTHERS.contains(type.getName()) || isOther(type.getSuperclass())) {
      return true;
    }
    for (Class<?> one : type.getInterfaces()) {
      if (isOther(one)) {
        return true;
      }
    }
    return false;
  }

  /** Whether a type is one of these, or holds one as an element or a type argument. */
  static boolean isIn(ResolvableType type) {
    return CLASSES.get(type.toClass()) || isInside(type);
  }

  /** Whether a type holds one of these as an element or a type argument. */
  static boolean isInside(ResolvableType type) {
    return isInside(type, new HashSet<>());
  }

  /** Type variables may be bounded by themselves, so each type is looked into once. */
  private static boolean isInside(ResolvableType type, Set<Type> seen) {
    if (!seen.add(type.getType())) {
      return false;
    }
    if (type.isArray()) {
      return isOrHolds(type.getComponentType(), seen);
    }
    for (ResolvableType argument : type.getGenerics()) {
      if (isOrHolds(argument, seen)) {
        return true;
      }
    }
    return false;
  }

  private static boolean isOrHolds(ResolvableType type, Set<Type> seen) {
    return CLASSES.get(type.toClass()) || isInside(type, seen);
  }

  /** The class of what a call returned if it is one of these, by itself or as a body; or null. */
  static @Nullable Class<?> in(@Nullable Object result) {
    Object body = HTTP && result instanceof HttpEntity<?> entity ? entity.getBody() : result;
    return body != null && CLASSES.get(body.getClass()) ? body.getClass() : null;
  }
}
