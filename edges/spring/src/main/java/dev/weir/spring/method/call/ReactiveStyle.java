package dev.weir.spring.method.call;

import dev.weir.spring.method.RateLimitedException;
import dev.weir.spring.method.expression.MethodCall;
import java.util.concurrent.CompletableFuture;
import org.reactivestreams.Publisher;
import org.springframework.core.ReactiveAdapter;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * Methods that return a reactive type, whose work begins with each subscription, and is over when
 * that ends. The method is called for each subscription that is granted. No thread is blocked.
 * Thread-safe.
 */
final class ReactiveStyle implements CallStyle {
  private final ReactiveAdapter adapter;

  ReactiveStyle(ReactiveAdapter adapter) {
    this.adapter = adapter;
  }

  @Override
  public Object call(MethodLimit limit, MethodCall call, CallBody body) {
    Publisher<?> limited =
        adapter.isMultiValue()
            ? Flux.defer(() -> flux(limit, call, body))
            : Mono.defer(() -> mono(limit, call, body));
    return adapter.fromPublisher(limited);
  }

  private Mono<?> mono(MethodLimit limit, MethodCall call, CallBody body) {
    CompletableFuture<Held> taken = limit.takeAsync(call);
    return granted(taken, limit, call, body)
        .flatMap(next -> Mono.from(source(next)))
        .doOnTerminate(() -> PendingGrant.release(taken))
        .doFinally(signal -> PendingGrant.release(taken));
  }

  private Flux<?> flux(MethodLimit limit, MethodCall call, CallBody body) {
    CompletableFuture<Held> taken = limit.takeAsync(call);
    return granted(taken, limit, call, body)
        .flatMapMany(this::source)
        .doOnTerminate(() -> PendingGrant.release(taken))
        .doFinally(signal -> PendingGrant.release(taken));
  }

  /** What to run: the body, or the fallback. A cancelled subscription cancels the future. */
  private static Mono<CallBody> granted(
      CompletableFuture<Held> taken, MethodLimit limit, MethodCall call, CallBody body) {
    Mono<CallBody> granted = Mono.fromFuture(taken).map(held -> body);
    Fallback fallback = limit.fallback();
    return fallback == null
        ? granted
        : granted.onErrorResume(
            RateLimitedException.class, denied -> Mono.just(() -> fallback.run(call, denied)));
  }

  private Publisher<Object> source(CallBody body) {
    try {
      return adapter.toPublisher(body.run());
    } catch (Throwable e) {
      return Mono.error(e);
    }
  }
}
