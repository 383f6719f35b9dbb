package dev.weir.client;

import java.net.http.HttpResponse.BodySubscriber;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;
import org.jspecify.annotations.Nullable;

/**
 * Reads the body of a response that nobody gets, so that its connection can be used again; a long
 * body, or one that stalls, is not worth it. Aborted from any thread.
 */
final class DiscardedBody<T> implements BodySubscriber<@Nullable T> {
  private static final int MAX_BYTES = 65_536;

  private final CompletableFuture<@Nullable T> end = new CompletableFuture<>();
  private volatile Flow.@Nullable Subscription subscription;
  private long bytes;

  @Override
  public CompletionStage<@Nullable T> getBody() {
    return end;
  }

  @Override
  public void onSubscribe(Flow.Subscription body) {
    subscription = body;
    if (end.isDone()) {
      body.cancel();
    } else {
      body.request(Long.MAX_VALUE);
    }
  }

  /** Does not wait for the rest of the body: closes its connection, if it is still read. */
  void abort() {
    boolean read = end.complete(null);
    Flow.Subscription body = subscription;
    if (read && body != null) {
      body.cancel();
    }
  }

  @Override
  public void onNext(List<ByteBuffer> parts) {
    for (ByteBuffer part : parts) {
      bytes += part.remaining();
    }
    if (bytes > MAX_BYTES) {
      abort();
    }
  }

  @Override
  public void onError(Throwable failure) {
    end.complete(null);
  }

  @Override
  public void onComplete() {
    end.complete(null);
  }
}
