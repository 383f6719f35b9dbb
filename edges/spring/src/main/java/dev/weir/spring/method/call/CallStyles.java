package dev.weir.spring.method.call;

import dev.weir.spring.method.expression.AnnotationSite;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Future;
import org.springframework.core.ReactiveAdapter;
import org.springframework.core.ReactiveAdapterRegistry;
import org.springframework.core.ResolvableType;
import org.springframework.util.ClassUtils;

/** Finds how a method is to be limited, by what it returns. Thread-safe. */
final class CallStyles {
  private static final boolean REACTOR =
      ClassUtils.isPresent("reactor.core.publisher.Flux", CallStyles.class.getClassLoader());

  private static final String CONTINUATION = "kotlin.coroutines.Continuation";
  private static final String ASYNC = "org.springframework.scheduling.annotation.Async";

  private static final String REMEDY =
      "Return the value itself, a CompletableFuture, a Mono or a Flux, or limit a method that does.";

  private final CallStyle blocking = new BlockingStyle();
  private final CallStyle stages = new StageStyle();

  CallStyle of(AnnotationSite site) {
    ResolvableType type = ResolvableType.forMethodReturnType(site.method(), site.type());
    CallStyle style = of(site, type.toClass());
    if (site.isConcurrency()) {
      requireFinished(site, type, style == blocking);
    }
    return style;
  }

  private CallStyle of(AnnotationSite site, Class<?> result) {
    for (Class<?> parameter : site.method().getParameterTypes()) {
      if (parameter.getName().equals(CONTINUATION)) {
        throw site.unsupported("a suspend function", "a function that does not suspend", REMEDY);
      }
    }
    if (result == CompletionStage.class || result == CompletableFuture.class) {
      return stages;
    }
    ReactiveAdapter adapter =
        REACTOR && !CompletionStage.class.isAssignableFrom(result)
            ? ReactiveAdapterRegistry.getSharedInstance().getAdapter(result)
            : null;
    if (adapter != null && result.isAssignableFrom(adapter.getReactiveType())) {
      return new ReactiveStyle(adapter);
    }
    if (adapter != null || Future.class.isAssignableFrom(result) || isUnknownStage(result)) {
      throw site.unsupported(
          "returns " + result.getName(),
          "a result, a CompletionStage, a CompletableFuture, a Mono or a Flux",
          REMEDY);
    }
    return blocking;
  }

  private static boolean isUnknownStage(Class<?> result) {
    return CompletionStage.class.isAssignableFrom(result);
  }

  /** What is in a future or in a reactive type is to be there when that is complete. */
  private static void requireFinished(AnnotationSite site, ResolvableType type, boolean blocking) {
    if (blocking ? Unfinished.isIn(type) : Unfinished.isInside(type)) {
      throw site.unsupported("returns " + type, Unfinished.EXPECTED, REMEDY);
    }
    if (blocking && site.has(ASYNC)) {
      throw site.unsupported(
          "@Async without a CompletableFuture",
          "a method that returns a CompletableFuture, so that it is known when it is over",
          "Return a CompletableFuture.");
    }
  }
}
