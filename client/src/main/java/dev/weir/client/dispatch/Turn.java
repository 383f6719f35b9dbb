package dev.weir.client.dispatch;

import java.util.concurrent.CompletableFuture;

/** The turn of a request to be sent: complete when it has come. Cancelling it gives it up. */
final class Turn extends CompletableFuture<Void> {
  final long latestNanos;

  /** Whether it counts among those that wait. */
  boolean waits;

  /** How many requests to the origin were sent before; set when the turn has come. */
  long number;

  /** When the turn came. */
  long sentNanos;

  Turn(long latestNanos) {
    this.latestNanos = latestNanos;
  }
}
