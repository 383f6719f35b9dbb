package dev.weir.load.engine;

import org.jspecify.annotations.Nullable;

/**
 * The requests in flight, in the order in which they were due, which is that of their deadlines.
 *
 * <p>A linked list through the exchanges: entering, leaving and looking for the oldest take
 * constant time, and memory is that of the requests in flight.
 */
final class InFlight {
  private @Nullable Exchange oldest;
  private @Nullable Exchange youngest;
  private int size;

  int size() {
    return size;
  }

  @Nullable Exchange oldest() {
    return oldest;
  }

  void add(Exchange exchange) {
    exchange.previous = youngest;
    if (youngest == null) {
      oldest = exchange;
    } else {
      youngest.next = exchange;
    }
    youngest = exchange;
    size++;
  }

  void remove(Exchange exchange) {
    Exchange before = exchange.previous;
    Exchange after = exchange.next;
    if (before == null) {
      oldest = after;
    } else {
      before.next = after;
    }
    if (after == null) {
      youngest = before;
    } else {
      after.previous = before;
    }
    exchange.previous = null;
    exchange.next = null;
    size--;
  }
}
