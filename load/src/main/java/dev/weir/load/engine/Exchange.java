package dev.weir.load.engine;

import dev.weir.load.measure.Outcome;
import dev.weir.load.traffic.Request;
import org.jspecify.annotations.Nullable;

/**
 * One request in flight. Used by one thread.
 *
 * <p>It is a node of {@link InFlight}'s list, so that it leaves in constant time.
 */
public final class Exchange {
  final long dueNanos;
  @Nullable Exchange previous;
  @Nullable Exchange next;

  private final LoadLoop loop;
  private final Request request;
  private @Nullable Object attachment;

  Exchange(LoadLoop loop, Request request, long dueNanos) {
    this.loop = loop;
    this.request = request;
    this.dueNanos = dueNanos;
  }

  /** What to send. */
  public Request request() {
    return request;
  }

  /** What the transport attached; null if nothing. */
  public @Nullable Object attachment() {
    return attachment;
  }

  /** Keeps an object of the transport, such as the connection. */
  public void attach(Object object) {
    attachment = object;
  }

  /** Reports a complete answer. */
  public void onAnswer(int status, boolean retryAfter) {
    loop.onAnswer(this, status, retryAfter);
  }

  /** Reports an end without a complete answer. */
  public void onFailure(Outcome outcome) {
    loop.onFailure(this, outcome);
  }
}
