package dev.weir.spring.method.call;

import org.jspecify.annotations.Nullable;

/** What runs once a call is granted: the next limit, the method itself, or a fallback. */
@FunctionalInterface
interface CallBody {
  /** Runs it; a reactive type may be subscribed to several times, and then it runs for each. */
  @Nullable Object run() throws Throwable;
}
