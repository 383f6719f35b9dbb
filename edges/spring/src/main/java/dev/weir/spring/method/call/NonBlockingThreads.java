package dev.weir.spring.method.call;

import org.springframework.util.ClassUtils;
import reactor.core.scheduler.Schedulers;

/** Threads on which nothing may block: event loops, and others of Reactor. */
final class NonBlockingThreads {
  private static final boolean REACTOR =
      ClassUtils.isPresent(
          "reactor.core.scheduler.Schedulers", NonBlockingThreads.class.getClassLoader());

  private NonBlockingThreads() {}

  static boolean isCurrent() {
    return REACTOR && Schedulers.isInNonBlockingThread();
  }
}
