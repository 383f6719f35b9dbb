package dev.weir.client;

import dev.weir.client.dispatch.Call.Repeatable;
import dev.weir.client.dispatch.Dispatcher;
import java.io.IOException;
import java.net.Authenticator;
import java.net.CookieHandler;
import java.net.ProxySelector;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandler;
import java.net.http.HttpResponse.PushPromiseHandler;
import java.net.http.WebSocket;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import org.jspecify.annotations.Nullable;

/**
 * An {@link HttpClient} that keeps to the limits of servers: it sends requests when the server has
 * room for them, and sends those that were denied again after a wait. Safe for use by any number of
 * threads.
 *
 * <p>It sends by another client, to which everything else is left. If a request could not be sent
 * in time, {@link #send} throws a {@link dev.weir.client.dispatch.RequestNotSentException}, and the
 * future of {@link #sendAsync} fails with it; cancelling that future ends waits and requests.
 */
public final class WeirClient extends HttpClient {
  private static final String IDEMPOTENCY_KEY = "Idempotency-Key";

  private final HttpClient http;
  private final Dispatcher dispatcher;
  private final @Nullable Duration deadline;
  private final boolean repeatable;

  private WeirClient(
      HttpClient http, Dispatcher dispatcher, @Nullable Duration deadline, boolean repeatable) {
    this.http = http;
    this.dispatcher = dispatcher;
    this.deadline = deadline;
    this.repeatable = repeatable;
  }

  /** Builds a client that sends by another one, which stays the caller's to close. */
  public static ClientBuilder<WeirClient> around(HttpClient http) {
    return new ClientBuilder<>(dispatcher -> new WeirClient(http, dispatcher, null, false));
  }

  /**
   * This client with another deadline; they share all that they know.
   *
   * @throws IllegalArgumentException if it is not more than zero, or longer than a day
   */
  public WeirClient withDeadline(Duration atMost) {
    if (atMost.isNegative() || atMost.isZero() || atMost.compareTo(Duration.ofDays(1)) > 0) {
      throw new IllegalArgumentException(
          "deadline: " + atMost + " (expected: more than 0, at most PT24H)");
    }
    return new WeirClient(http, dispatcher, atMost, repeatable);
  }

  /**
   * This client for requests that may be sent more than once whatever their method is, and whose
   * bodies can be read more than once; they share all that they know.
   */
  public WeirClient repeatable() {
    return new WeirClient(http, dispatcher, deadline, true);
  }

  /**
   * Sends a request, and again if it is denied.
   *
   * @throws dev.weir.client.dispatch.RequestNotSentException if its turn would come too late
   * @throws IOException if the last attempt failed
   * @throws InterruptedException if this thread is interrupted; the request is cancelled
   */
  @Override
  public <T> HttpResponse<T> send(HttpRequest request, BodyHandler<T> handler)
      throws IOException, InterruptedException {
    CompletableFuture<HttpResponse<T>> exchange = sendAsync(request, handler);
    try {
      return exchange.get();
    } catch (InterruptedException e) {
      exchange.cancel(true);
      throw e;
    } catch (ExecutionException e) {
      throw failure(e);
    } catch (CancellationException e) {
      throw new IOException("cancelled", e);
    }
  }

  @Override
  public <T> CompletableFuture<HttpResponse<T>> sendAsync(
      HttpRequest request, BodyHandler<T> handler) {
    return sendAsync(request, handler, null);
  }

  @Override
  public <T> CompletableFuture<HttpResponse<T>> sendAsync(
      HttpRequest request, BodyHandler<T> handler, @Nullable PushPromiseHandler<T> pushes) {
    var call =
        deadline == null
            ? dispatcher.call(request.uri(), request.method(), repeatable(request))
            : dispatcher.call(request.uri(), request.method(), repeatable(request), deadline);
    return new Exchange<>(http, request, handler, pushes, call).begin();
  }

  private static IOException failure(ExecutionException failed) {
    Throwable cause = failed.getCause();
    if (cause instanceof RuntimeException unchecked) {
      throw unchecked;
    }
    if (cause instanceof Error error) {
      throw error;
    }
    return cause instanceof IOException io ? io : new IOException(cause);
  }

  private Repeatable repeatable(HttpRequest request) {
    if (repeatable) {
      return Repeatable.YES;
    }
    // Bodies of unknown length are streams, as a rule, which are gone when they have been read.
    if (request.bodyPublisher().map(BodyPublisher::contentLength).orElse(0L) < 0) {
      return Repeatable.NO;
    }
    boolean keyed = request.headers().firstValue(IDEMPOTENCY_KEY).isPresent();
    return keyed ? Repeatable.YES : Repeatable.BY_METHOD;
  }

  @Override
  public Optional<CookieHandler> cookieHandler() {
    return http.cookieHandler();
  }

  @Override
  public Optional<Duration> connectTimeout() {
    return http.connectTimeout();
  }

  @Override
  public Redirect followRedirects() {
    return http.followRedirects();
  }

  @Override
  public Optional<ProxySelector> proxy() {
    return http.proxy();
  }

  @Override
  public SSLContext sslContext() {
    return http.sslContext();
  }

  @Override
  public SSLParameters sslParameters() {
    return http.sslParameters();
  }

  @Override
  public Optional<Authenticator> authenticator() {
    return http.authenticator();
  }

  @Override
  public Version version() {
    return http.version();
  }

  @Override
  public Optional<Executor> executor() {
    return http.executor();
  }

  @Override
  public WebSocket.Builder newWebSocketBuilder() {
    return http.newWebSocketBuilder();
  }
}
