package dev.weir.spring.webflux;

import dev.weir.http.request.HttpRequest;
import dev.weir.library.RulesLimiter;
import dev.weir.library.web.Admission;
import dev.weir.library.web.DenialResponse;
import dev.weir.library.web.DenialWriter;
import dev.weir.library.web.PathScope;
import dev.weir.library.web.ResponseStyle;
import dev.weir.spring.RequestIdentity;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;
import org.springframework.core.Ordered;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.server.reactive.ServerHttpResponse;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.WebFilter;
import org.springframework.web.server.WebFilterChain;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/**
 * Limits the requests of a WebFlux application by rules: a request that may pass goes on with
 * headers that say what is left, and any other is answered with 429, 403 or 503.
 *
 * <p>It never blocks. If the store has to be asked, the request goes on on its own event loop once
 * the store has answered. Permits are released when the response is complete, has failed, or the
 * client has gone; a request that is cancelled before it started costs nothing.
 *
 * <p>Safe for use by any number of threads.
 */
public final class WeirWebFilter implements WebFilter, Ordered {
  private static final AtomicLong FILTERS = new AtomicLong();

  /** Marks requests that are in this filter, however often it is registered. */
  private final String seen = WeirWebFilter.class.getName() + ".seen." + FILTERS.incrementAndGet();

  private final RulesLimiter limiter;
  private final ResponseStyle style;
  private final DenialWriter denials;
  private final PathScope scope;
  private final RequestIdentity identity;
  private final int order;
  private final BiConsumer<ServerWebExchange, Admission> observer;

  private WeirWebFilter(Builder builder) {
    this.limiter = builder.limiter;
    this.style = builder.style;
    this.denials = builder.denials == null ? DenialWriter.of(builder.style) : builder.denials;
    this.scope = builder.scope;
    this.identity = builder.identity;
    this.order = builder.order;
    this.observer = builder.observer;
  }

  /** Builds a filter. */
  public static Builder builder(RulesLimiter limiter) {
    return new Builder(limiter);
  }

  @Override
  public int getOrder() {
    return order;
  }

  @Override
  public Mono<Void> filter(ServerWebExchange exchange, WebFilterChain chain) {
    HttpRequest received = ReceivedRequest.of(exchange.getRequest());
    return scope.covers(received.target())
        ? MarkedExchange.once(
            exchange, seen, () -> attempt(received, exchange, chain), () -> chain.filter(exchange))
        : chain.filter(exchange);
  }

  private Mono<Void> attempt(
      HttpRequest received, ServerWebExchange exchange, WebFilterChain chain) {
    return limiter.active().current().readsPrincipal()
        ? PrincipalRequest.of(received, identity, exchange)
            .flatMap(request -> limit(request, exchange, chain))
        : limit(received, exchange, chain);
  }

  private Mono<Void> limit(HttpRequest request, ServerWebExchange exchange, WebFilterChain chain) {
    Executor thread = RequestThread.of(exchange.getRequest());
    CompletableFuture<Admission> future = limiter.admitAsync(request, thread);
    if (future.isDone() && !future.isCompletedExceptionally()) {
      return proceed(future.join(), request, exchange, chain);
    }
    PendingAdmission pending = new PendingAdmission(future);
    return pending
        .mono()
        .flatMap(
            admission ->
                pending.start() ? proceed(admission, request, exchange, chain) : Mono.empty());
  }

  private Mono<Void> proceed(
      Admission admission, HttpRequest request, ServerWebExchange exchange, WebFilterChain chain) {
    try {
      return answer(admission, request, exchange, chain);
    } catch (RuntimeException | Error e) {
      admission.giveBack(); // the request has not started
      throw e;
    }
  }

  private Mono<Void> answer(
      Admission admission, HttpRequest request, ServerWebExchange exchange, WebFilterChain chain) {
    observer.accept(exchange, admission);
    if (!admission.allowed()) {
      return deny(exchange.getResponse(), denials.write(request, admission));
    }
    if (admission.limited()) {
      admission.writeHeaders(style, exchange.getResponse().getHeaders()::set);
    }
    Duration delay = admission.delay();
    if (!delay.isZero()) {
      return delayed(admission, delay, exchange, chain);
    }
    Mono<Void> rest = chain.filter(exchange);
    return admission.holdsPermits() ? MarkedExchange.ending(rest, admission::close) : rest;
  }

  /** Holds a request that a leaky bucket shapes; if it is cancelled meanwhile, it costs nothing. */
  private static Mono<Void> delayed(
      Admission admission, Duration delay, ServerWebExchange exchange, WebFilterChain chain) {
    AtomicBoolean started = new AtomicBoolean();
    Executor thread = RequestThread.of(exchange.getRequest());
    Mono<Void> delayed =
        Mono.delay(delay)
            .publishOn(Schedulers.fromExecutor(thread))
            .flatMap(
                elapsed -> {
                  started.set(true);
                  return chain.filter(exchange);
                });
    return MarkedExchange.ending(
        delayed,
        () -> {
          if (started.get()) {
            admission.close();
          } else {
            admission.giveBack();
          }
        });
  }

  private static Mono<Void> deny(ServerHttpResponse response, DenialResponse denial) {
    response.setStatusCode(HttpStatusCode.valueOf(denial.status()));
    HttpHeaders headers = response.getHeaders();
    denial.headers().forEach(headers::set);
    byte[] body = denial.bytes();
    headers.setContentLength(body.length);
    if (body.length == 0) {
      return response.setComplete();
    }
    headers.set(HttpHeaders.CONTENT_TYPE, denial.mediaType());
    return response.writeWith(Mono.just(response.bufferFactory().wrap(body)));
  }

  /** Builds a {@link WeirWebFilter}. Not thread-safe. */
  public static final class Builder {
    private final RulesLimiter limiter;
    private ResponseStyle style = ResponseStyle.DEFAULT;
    private @Nullable DenialWriter denials;
    private PathScope scope = PathScope.ALL;
    private RequestIdentity identity = (request, user) -> user == null ? null : user.getName();
    private int order = Ordered.HIGHEST_PRECEDENCE + 10;
    private BiConsumer<ServerWebExchange, Admission> observer = TracedDecision::add;

    private Builder(RulesLimiter limiter) {
      this.limiter = limiter;
    }

    /** How decisions are shown to clients. */
    public Builder style(ResponseStyle shown) {
      this.style = shown;
      return this;
    }

    /** Who answers denied requests, instead of the style. */
    public Builder denials(DenialWriter writer) {
      this.denials = writer;
      return this;
    }

    /** Which requests are limited; all by default. */
    public Builder scope(PathScope paths) {
      this.scope = paths;
      return this;
    }

    /** The principal of a request, from the user whom the application has authenticated. */
    public Builder identity(RequestIdentity principal) {
      this.identity = principal;
      return this;
    }

    /** The place among the filters. */
    public Builder order(int place) {
      this.order = place;
      return this;
    }

    /**
     * Receives every decision, before the request goes on; must not block. By default the
     * observation of the request gets it.
     */
    public Builder observer(BiConsumer<ServerWebExchange, Admission> receiver) {
      this.observer = receiver;
      return this;
    }

    /** The filter. */
    public WeirWebFilter build() {
      return new WeirWebFilter(this);
    }
  }
}
