package dev.weir.client;

import dev.weir.client.dispatch.Call;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandler;
import java.net.http.HttpResponse.BodySubscriber;
import java.net.http.HttpResponse.PushPromiseHandler;
import java.net.http.HttpResponse.ResponseInfo;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;

/**
 * Sends a request until a response is the last one. If it ends otherwise, because it was cancelled
 * or completed by somebody else, the wait or what is being sent is cancelled.
 */
final class Exchange<T> extends CompletableFuture<HttpResponse<T>> {
  private final HttpClient http;
  private final HttpRequest request;
  private final BodyHandler<T> handler;
  private final @Nullable PushPromiseHandler<T> pushes;
  private final Call call;

  /** What is waited for, or sent. */
  private volatile @Nullable CompletableFuture<?> step;

  Exchange(
      HttpClient http,
      HttpRequest request,
      BodyHandler<T> handler,
      @Nullable PushPromiseHandler<T> pushes,
      Call call) {
    this.http = http;
    this.request = request;
    this.handler = handler;
    this.pushes = pushes;
    this.call = call;
  }

  /** Begins; cancels what is under way when the exchange ends. */
  Exchange<T> begin() {
    var unused = whenComplete((response, failure) -> cancelStep());
    sendAfter(call.begin());
    return this;
  }

  private void sendAfter(CompletableFuture<Void> turn) {
    follow(turn);
    var unused =
        turn.whenComplete(
            (come, failure) -> {
              if (failure == null) {
                send();
              } else {
                completeExceptionally(failure);
              }
            });
  }

  private void send() {
    if (isDone()) {
      return;
    }
    Attempt attempt = new Attempt();
    try {
      CompletableFuture<HttpResponse<T>> sent = http.sendAsync(timed(), attempt, pushes);
      follow(sent);
      var unused = sent.whenComplete(attempt::onEnd);
    } catch (RuntimeException | Error e) { // nobody else would learn of it
      completeExceptionally(e);
    }
  }

  /** The request, which must be answered before the deadline of the call. */
  private HttpRequest timed() {
    Duration left = call.timeLeft();
    boolean shorter = request.timeout().filter(own -> own.compareTo(left) <= 0).isPresent();
    return shorter
        ? request
        : HttpRequest.newBuilder(request, (name, value) -> true).timeout(left).build();
  }

  private void follow(CompletableFuture<?> next) {
    step = next;
    if (isDone()) {
      cancelStep();
    }
  }

  private void cancelStep() {
    CompletableFuture<?> current = step;
    if (current != null) {
      current.cancel(true);
    }
  }

  /** Looks at the head of a response before its body is read: who reads it depends on that. */
  private final class Attempt implements BodyHandler<T> {
    private volatile boolean responded;
    private volatile @Nullable CompletableFuture<Void> next;

    @Override
    public BodySubscriber<T> apply(ResponseInfo response) {
      responded = true;
      if (isDone()) {
        return discarded(new DiscardedBody<>()); // ended
      }
      CompletableFuture<Void> turn =
          call.onResponse(response.statusCode(), response.headers()::allValues);
      if (turn == null) {
        return handler.apply(response);
      }
      next = turn;
      if (isDone()) {
        turn.cancel(true); // ended meanwhile, when there was no turn yet
      }
      DiscardedBody<T> body = new DiscardedBody<>();
      // It comes or fails before the deadline: a body that stalls holds nothing up.
      var unused = turn.whenComplete((come, failure) -> body.abort());
      return discarded(body);
    }

    @SuppressWarnings("NullAway") // its response is not passed on
    private BodySubscriber<T> discarded(DiscardedBody<T> body) {
      return body;
    }

    void onEnd(@Nullable HttpResponse<T> response, @Nullable Throwable failure) {
      if (!responded && failure != null) {
        next = call.onFailure(cause(failure));
      }
      CompletableFuture<Void> turn = next;
      if (turn != null) {
        sendAfter(turn);
      } else if (failure != null) {
        completeExceptionally(cause(failure));
      } else {
        complete(response);
      }
    }
  }

  private static Throwable cause(Throwable failure) {
    Throwable cause = failure.getCause();
    return failure instanceof CompletionException && cause != null ? cause : failure;
  }
}
