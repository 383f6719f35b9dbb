package dev.weir.spring.gateway;

import io.netty.util.concurrent.EventExecutor;
import io.netty.util.internal.ThreadExecutorMap;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

/** Continues on the event loop that asked, as if it had not waited. */
final class RequestLoop {
  private RequestLoop() {}

  static <T> Mono<T> continuing(Supplier<CompletableFuture<T>> future) {
    return Mono.defer(
        () -> {
          CompletableFuture<T> answer = future.get();
          if (answer.isDone()) {
            return Mono.fromFuture(answer);
          }
          EventExecutor loop = ThreadExecutorMap.currentExecutor();
          Scheduler thread = loop == null ? Schedulers.parallel() : Schedulers.fromExecutor(loop);
          return Mono.fromFuture(answer).publishOn(thread);
        });
  }
}
