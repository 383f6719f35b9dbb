package dev.weir.replay.log.read;

import dev.weir.replay.log.line.RecordedRequest;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Requests of a few milliseconds, sorted when the first of them is wanted. For one thread. */
final class Bucket {
  private static final int MAX_UNSORTED = 512;
  private static final int MAX_KEPT = 256;
  private static final int FIRST_CAPACITY = 8;
  private static final @Nullable RecordedRequest[] NONE = {};
  private static final Comparator<RecordedRequest> ORDER =
      Comparator.comparingLong(RecordedRequest::arrivalMicros);

  private @Nullable RecordedRequest[] requests = NONE;
  private int head;
  private int tail;
  private boolean sorted = true;

  boolean isEmpty() {
    return head == tail;
  }

  /** Adds a request; false if that would make too much to be sorted again and again. */
  boolean add(RecordedRequest request) {
    boolean inOrder = isEmpty() || last().arrivalMicros() <= request.arrivalMicros();
    if (!inOrder && tail - head >= MAX_UNSORTED) {
      return false;
    }
    if (tail == requests.length) {
      int capacity = Math.max(FIRST_CAPACITY, requests.length * 2);
      requests = Arrays.copyOf(requests, capacity);
    }
    requests[tail++] = request;
    sorted &= inOrder;
    return true;
  }

  private RecordedRequest last() {
    return Objects.requireNonNull(requests[tail - 1]);
  }

  /** The first request; there must be one. */
  RecordedRequest first() {
    if (!sorted) {
      Arrays.sort(requests, head, tail, ORDER); // keeps the order of equal ones
      sorted = true;
    }
    return Objects.requireNonNull(requests[head]);
  }

  void removeFirst() {
    requests[head++] = null;
    if (head == tail) {
      head = 0;
      tail = 0;
      sorted = true;
      requests = requests.length > MAX_KEPT ? NONE : requests;
    }
  }
}
