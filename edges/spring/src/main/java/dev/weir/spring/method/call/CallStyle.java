package dev.weir.spring.method.call;

import dev.weir.spring.method.expression.MethodCall;
import org.jspecify.annotations.Nullable;

/** How a kind of methods is limited. Thread-safe. */
interface CallStyle {
  /** Runs the body if the limit grants it, and the fallback if there is one and it does not. */
  @Nullable Object call(MethodLimit limit, MethodCall call, CallBody body) throws Throwable;
}
