package dev.weir.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/** A server that answers each request when the test says so. */
final class HoldingUpstream implements AutoCloseable {
  private static final String ID = "X-Test-Request";
  private static final long LIMIT_SECONDS = 60;

  private final AtomicLong ids = new AtomicLong();
  private final Map<String, Held> sent = new ConcurrentHashMap<>();
  private final ScriptedUpstream upstream =
      ScriptedUpstream.that(
          (request, socket) -> {
            Held held = sent.get(request.values(ID).get(0));
            if (held != null) {
              held.arrived.complete(true);
              held.release.await();
            }
            ScriptedUpstream.write(socket, ScriptedUpstream.ok("hello"));
          });

  /** A request on its way. */
  static final class Held {
    private final CompletableFuture<Boolean> arrived = new CompletableFuture<>();
    private final CountDownLatch release = new CountDownLatch(1);
    private final CompletableFuture<HttpResponse<String>> response;

    private Held(CompletableFuture<HttpResponse<String>> response) {
      this.response = response;
    }

    /** Lets the server answer, and returns the response. */
    HttpResponse<String> finish() throws Exception {
      release.countDown();
      return response.get(LIMIT_SECONDS, TimeUnit.SECONDS);
    }
  }

  /** What became of a request: the server holds it, or the gateway answered it. */
  record Offered(Optional<Held> held, Optional<HttpResponse<String>> answered) {
    boolean isHeld() {
      return held.isPresent();
    }

    /** The status of the gateway's own answer; 0 if the server holds the request. */
    int status() {
      return answered.map(HttpResponse::statusCode).orElse(0);
    }
  }

  String url() {
    return upstream.url();
  }

  /** Sends a request, and waits until the server holds it or the gateway has answered it. */
  Offered offer(TestGateway gateway, HttpRequest.Builder request) throws Exception {
    String id = Long.toString(ids.incrementAndGet());
    CompletableFuture<HttpResponse<String>> response = new CompletableFuture<>();
    Held held = new Held(response);
    sent.put(id, held);
    var unused =
        gateway
            .client
            .sendAsync(request.header(ID, id).build(), BodyHandlers.ofString())
            .whenComplete(
                (answer, failure) -> {
                  if (failure == null) {
                    response.complete(answer);
                  } else {
                    response.completeExceptionally(failure);
                  }
                });
    CompletableFuture.anyOf(held.arrived, response).get(LIMIT_SECONDS, TimeUnit.SECONDS);
    if (held.arrived.isDone()) {
      return new Offered(Optional.of(held), Optional.empty());
    }
    assertThat(response).isDone();
    return new Offered(Optional.empty(), Optional.of(response.get()));
  }

  @Override
  public void close() throws IOException {
    upstream.close();
    sent.values().forEach(held -> held.release.countDown());
  }
}
