package dev.weir.spring.webflux;

import java.util.function.Supplier;
import org.springframework.web.server.ServerWebExchange;
import reactor.core.publisher.Mono;

/**
 * Marks on an exchange, for filters that may occur twice in a chain.
 *
 * <p>A mark lasts as long as a subscription. A filter that retries subscribes to the rest of the
 * chain again, with the same exchange; each attempt is limited for itself.
 */
public final class MarkedExchange {
  private MarkedExchange() {}

  /**
   * Subscribes to one publisher if the exchange has no such mark, and to another if it has. The
   * exchange is marked until the first one has ended.
   */
  public static Mono<Void> once(
      ServerWebExchange exchange,
      String mark,
      Supplier<Mono<Void>> first,
      Supplier<Mono<Void>> nested) {
    return Mono.defer(
        () ->
            exchange.getAttributes().putIfAbsent(mark, true) == null
                ? ending(Mono.defer(first), () -> exchange.getAttributes().remove(mark))
                : nested.get());
  }

  /** Runs an action before the end is signalled, since a retry begins within that signal. */
  static Mono<Void> ending(Mono<Void> publisher, Runnable action) {
    return Mono.using(() -> action, ended -> publisher, Runnable::run);
  }
}
