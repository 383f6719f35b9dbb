package dev.weir.client.spring;

import dev.weir.client.ClientBuilder;
import dev.weir.client.dispatch.Call;
import dev.weir.client.dispatch.Call.Repeatable;
import dev.weir.client.dispatch.Dispatcher;
import java.util.concurrent.CompletableFuture;
import org.springframework.web.reactive.function.BodyInserters;
import org.springframework.web.reactive.function.client.ClientRequest;
import org.springframework.web.reactive.function.client.ClientResponse;
import org.springframework.web.reactive.function.client.ExchangeFilterFunction;
import org.springframework.web.reactive.function.client.ExchangeFunction;
import org.springframework.web.reactive.function.client.WebClientRequestException;
import reactor.core.publisher.Mono;

/**
 * Makes a {@code WebClient} keep to the limits of servers. Safe for use by any number of threads;
 * it blocks none of them.
 *
 * <p>A request that is not sent in time ends with a {@link
 * dev.weir.client.dispatch.RequestNotSentException}, and one that is not answered before its
 * deadline with a {@link java.util.concurrent.TimeoutException}. Cancelling ends waits and
 * requests. A request with a body is sent again only if it has the attribute {@link #REPEATABLE}:
 * whether a publisher can be subscribed to twice cannot be seen.
 */
public final class WeirExchangeFilter implements ExchangeFilterFunction {
  /**
   * The attribute of a request that may be sent more than once, whatever its method is and with its
   * body: set it to {@code true}. It works with {@link WeirInterceptor}, too.
   */
  public static final String REPEATABLE = "dev.weir.client.repeatable";

  private final Dispatcher dispatcher;

  private WeirExchangeFilter(Dispatcher dispatcher) {
    this.dispatcher = dispatcher;
  }

  /** Builds a filter for {@code WebClient.builder().filter(…)}. */
  public static ClientBuilder<WeirExchangeFilter> builder() {
    return new ClientBuilder<>(WeirExchangeFilter::new);
  }

  @Override
  public Mono<ClientResponse> filter(ClientRequest request, ExchangeFunction next) {
    return Mono.defer(
        () -> {
          Call call = dispatcher.call(request.url(), request.method().name(), repeatable(request));
          return sendAfter(call.begin(), call, request, next);
        });
  }

  private static Repeatable repeatable(ClientRequest request) {
    boolean hasBody = request.body() != BodyInserters.empty();
    if (Boolean.TRUE.equals(request.attributes().get(REPEATABLE))) {
      return Repeatable.YES;
    }
    if (hasBody) {
      return Repeatable.NO;
    }
    return Attributes.isRepeatable(request.headers(), request.attributes())
        ? Repeatable.YES
        : Repeatable.BY_METHOD;
  }

  private static Mono<ClientResponse> sendAfter(
      CompletableFuture<Void> turn, Call call, ClientRequest request, ExchangeFunction next) {
    return Mono.fromFuture(turn)
        .then(Mono.defer(() -> next.exchange(request).timeout(call.timeLeft())))
        .map(response -> received(response, call, request, next))
        .onErrorResume(
            WebClientRequestException.class,
            failure -> Mono.just(failed(failure, call, request, next)))
        .flatMap(last -> last);
  }

  private static Mono<ClientResponse> received(
      ClientResponse response, Call call, ClientRequest request, ExchangeFunction next) {
    CompletableFuture<Void> again =
        call.onResponse(response.statusCode().value(), response.headers()::header);
    if (again == null) {
      return Mono.just(response);
    }
    return response
        .releaseBody()
        // A body that stalls holds nothing up: the turn comes or fails before the deadline.
        .takeUntilOther(Mono.fromFuture(again, true))
        .onErrorComplete()
        .then(Mono.defer(() -> sendAfter(again, call, request, next)))
        .doOnCancel(() -> again.cancel(true));
  }

  private static Mono<ClientResponse> failed(
      WebClientRequestException failure, Call call, ClientRequest request, ExchangeFunction next) {
    CompletableFuture<Void> again = call.onFailure(failure.getMostSpecificCause());
    return again == null ? Mono.error(failure) : sendAfter(again, call, request, next);
  }
}
