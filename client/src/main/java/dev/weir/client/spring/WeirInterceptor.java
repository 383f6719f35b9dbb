package dev.weir.client.spring;

import dev.weir.client.ClientBuilder;
import dev.weir.client.dispatch.Call;
import dev.weir.client.dispatch.Call.Repeatable;
import dev.weir.client.dispatch.Dispatcher;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpRequest;
import org.springframework.http.client.ClientHttpRequestExecution;
import org.springframework.http.client.ClientHttpRequestInterceptor;
import org.springframework.http.client.ClientHttpResponse;

/**
 * Makes a {@code RestClient} or {@code RestTemplate} keep to the limits of servers. Safe for use by
 * any number of threads; the thread of a request waits for its turn.
 *
 * <p>A request that is not sent in time fails with Spring's {@code ResourceAccessException}, whose
 * cause is a {@link dev.weir.client.dispatch.RequestNotSentException}. The deadline bounds the
 * waits between attempts; an attempt takes as long as the request factory allows.
 */
public final class WeirInterceptor implements ClientHttpRequestInterceptor {
  private final Dispatcher dispatcher;

  private WeirInterceptor(Dispatcher dispatcher) {
    this.dispatcher = dispatcher;
  }

  /** Builds an interceptor for {@code RestClient.builder().requestInterceptor(…)}. */
  public static ClientBuilder<WeirInterceptor> builder() {
    return new ClientBuilder<>(WeirInterceptor::new);
  }

  /**
   * Sends a request, and again if it is denied.
   *
   * @throws IOException if the last attempt failed, the request was not sent, or this thread is
   *     interrupted
   */
  @Override
  public ClientHttpResponse intercept(
      HttpRequest request, byte[] body, ClientHttpRequestExecution execution) throws IOException {
    boolean repeatable = Attributes.isRepeatable(request.getHeaders(), request.getAttributes());
    Call call =
        dispatcher.call(
            request.getURI(),
            request.getMethod().name(),
            repeatable ? Repeatable.YES : Repeatable.BY_METHOD);
    CompletableFuture<Void> turn = call.begin();
    while (true) {
      await(turn);
      CompletableFuture<Void> next;
      try {
        ClientHttpResponse response = execution.execute(request, body);
        next = next(call, response);
        if (next == null) {
          return response;
        }
        response.close();
      } catch (IOException e) {
        next = call.onFailure(e);
        if (next == null) {
          throw e;
        }
      }
      turn = next;
    }
  }

  private static @Nullable CompletableFuture<Void> next(Call call, ClientHttpResponse response)
      throws IOException {
    return call.onResponse(
        response.getStatusCode().value(), name -> response.getHeaders().getOrEmpty(name));
  }

  private static void await(CompletableFuture<Void> turn) throws IOException {
    try {
      turn.get();
    } catch (InterruptedException e) {
      turn.cancel(true);
      Thread.currentThread().interrupt();
      InterruptedIOException interrupted = new InterruptedIOException("interrupted while waiting");
      interrupted.initCause(e);
      throw interrupted;
    } catch (ExecutionException e) {
      throw e.getCause() instanceof IOException failure ? failure : new IOException(e.getCause());
    }
  }
}
