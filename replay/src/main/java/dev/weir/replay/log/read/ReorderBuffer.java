package dev.weir.replay.log.read;

import dev.weir.replay.log.line.RecordedRequest;
import java.util.Comparator;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;

/**
 * Puts requests into the order of their arrival, which servers log when they are complete. Holds
 * those of the last minute or so, and never more than a number of them and 64 MB.
 *
 * <p>Most requests belong near the end of what is held: a sorted ring finds their place by a few
 * comparisons. What belongs far ahead of that goes to a heap. Equal arrivals keep their order. A
 * request that belongs before one that has been given out is late: it arrives now. For one thread.
 */
final class ReorderBuffer {
  private static final int MAX_SHIFTS = 128;
  private static final long MAX_BYTES = 64L << 20;
  private static final int FIRST_CAPACITY = 1 << 10;

  private final long horizonMicros;
  private final int maxHeld;
  private final LineCounts counts;
  private final PriorityQueue<RecordedRequest> far =
      new PriorityQueue<>(
          Comparator.comparingLong(RecordedRequest::arrivalMicros)
              .thenComparingLong(RecordedRequest::line));
  private @Nullable RecordedRequest[] ring = new RecordedRequest[FIRST_CAPACITY];
  private long head;
  private long tail;
  private long bytes;
  private long latest = Long.MIN_VALUE;
  private long released = Long.MIN_VALUE;
  private boolean ended;

  ReorderBuffer(long horizonMicros, int maxHeld, LineCounts counts) {
    this.horizonMicros = horizonMicros;
    this.maxHeld = maxHeld;
    this.counts = counts;
  }

  void end() {
    ended = true;
  }

  void add(RecordedRequest request) {
    RecordedRequest placed = request;
    latest = Math.max(latest, request.writtenMicros());
    if (request.arrivalMicros() < released) {
      counts.onLate();
      placed = request.arrivingAt(released);
    }
    bytes += placed.bytes();
    long arrival = placed.arrivalMicros();
    long place = tail;
    long lowest = Math.max(head, tail - MAX_SHIFTS);
    while (place > lowest && at(place - 1).arrivalMicros() > arrival) {
      place--;
    }
    if (place == lowest && place > head && at(place - 1).arrivalMicros() > arrival) {
      far.add(placed);
      return;
    }
    insert(placed, place);
  }

  private void insert(RecordedRequest request, long place) {
    if (tail - head == ring.length) {
      grow();
    }
    int mask = ring.length - 1;
    for (long i = tail; i > place; i--) {
      ring[(int) i & mask] = ring[(int) (i - 1) & mask];
    }
    ring[(int) place & mask] = request;
    tail++;
  }

  private void grow() {
    @Nullable RecordedRequest[] larger = new RecordedRequest[ring.length * 2];
    for (long i = head; i < tail; i++) {
      larger[(int) i & (larger.length - 1)] = at(i);
    }
    ring = larger;
  }

  private RecordedRequest at(long index) {
    return java.util.Objects.requireNonNull(ring[(int) index & (ring.length - 1)]);
  }

  /** The next request in order; null if an earlier one may still come. */
  @Nullable RecordedRequest poll() {
    RecordedRequest near = head == tail ? null : at(head);
    RecordedRequest other = far.peek();
    boolean fromFar = other != null && (near == null || isBefore(other, near));
    RecordedRequest first = fromFar ? other : near;
    if (first == null || !(ended || isFull() || first.arrivalMicros() < latest - horizonMicros)) {
      return null;
    }
    if (fromFar) {
      far.poll();
    } else {
      ring[(int) head & (ring.length - 1)] = null;
      head++;
    }
    bytes -= first.bytes();
    released = first.arrivalMicros();
    return first;
  }

  private boolean isFull() {
    return tail - head + far.size() > maxHeld || bytes > MAX_BYTES;
  }

  private static boolean isBefore(RecordedRequest one, RecordedRequest other) {
    return one.arrivalMicros() < other.arrivalMicros()
        || (one.arrivalMicros() == other.arrivalMicros() && one.line() < other.line());
  }
}
