package dev.weir.replay.log.read;

import dev.weir.replay.log.line.RecordedRequest;
import java.util.Comparator;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;

/**
 * Puts requests into the order of their arrival, which servers log when they are complete. Holds
 * those of the last minute or so, and never more than a number of them and 64 MB.
 *
 * <p>A calendar: requests go to buckets by their arrival, in a ring that spans the horizon, and
 * only the bucket that is next is sorted; the cost of a request does not grow with how many are
 * held. What is outside of the ring, or would make a bucket expensive, goes to a heap. Equal
 * arrivals keep the order of their lines. A request that belongs before one that has been given out
 * is late: it arrives now. For one thread.
 */
final class ReorderBuffer {
  private static final long MAX_BYTES = 64L << 20;
  private static final int BUCKETS = 1 << 12;
  private static final long MIN_WIDTH_MICROS = 1_000;

  private final long horizonMicros;
  private final long widthMicros;
  private final int maxHeld;
  private final LineCounts counts;
  private final PriorityQueue<RecordedRequest> far =
      new PriorityQueue<>(
          Comparator.comparingLong(RecordedRequest::arrivalMicros)
              .thenComparingLong(RecordedRequest::line));
  private final @Nullable Bucket[] ring = new Bucket[BUCKETS];

  /** All buckets before this one are empty. */
  private long first;

  private int near;
  private long bytes;
  private long latest = Long.MIN_VALUE;
  private long released = Long.MIN_VALUE;
  private boolean ended;

  ReorderBuffer(long horizonMicros, int maxHeld, LineCounts counts) {
    this.horizonMicros = horizonMicros;
    this.widthMicros = Math.max(MIN_WIDTH_MICROS, horizonMicros / (BUCKETS / 2));
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
    long number = placed.arrivalMicros() / widthMicros;
    if (near == 0) {
      first = number;
    }
    // The later half of the ring is for what comes; the earlier one may become the first.
    boolean fits = number - first < BUCKETS && number > first - BUCKETS / 2;
    if (fits && number < first) {
      fits = isFree(number);
      first = fits ? number : first;
    }
    if (fits && bucket(number).add(placed)) {
      near++;
    } else {
      far.add(placed);
    }
  }

  /** Whether no bucket that is in use would have two meanings if the ring began at a number. */
  private boolean isFree(long number) {
    for (long other = number + BUCKETS; other < first + BUCKETS; other++) {
      Bucket bucket = ring[(int) other & (BUCKETS - 1)];
      if (bucket != null && !bucket.isEmpty()) {
        return false;
      }
    }
    return true;
  }

  private Bucket bucket(long number) {
    int index = (int) number & (BUCKETS - 1);
    Bucket bucket = ring[index];
    if (bucket == null) {
      bucket = new Bucket();
      ring[index] = bucket;
    }
    return bucket;
  }

  /** The next request in order; null if an earlier one may still come. */
  @Nullable RecordedRequest poll() {
    RecordedRequest other = far.peek();
    Bucket next = near == 0 ? null : firstBucket();
    RecordedRequest request = next == null ? other : next.first();
    boolean fromFar = other != null && request != null && !isBefore(request, other);
    request = fromFar ? other : request;
    if (request == null || !isDue(request)) {
      return null;
    }
    if (fromFar || next == null) {
      far.poll();
    } else {
      next.removeFirst();
      near--;
    }
    bytes -= request.bytes();
    released = request.arrivalMicros();
    return request;
  }

  private Bucket firstBucket() {
    Bucket bucket = ring[(int) first & (BUCKETS - 1)];
    while (bucket == null || bucket.isEmpty()) {
      first++;
      bucket = ring[(int) first & (BUCKETS - 1)];
    }
    return bucket;
  }

  private boolean isDue(RecordedRequest request) {
    boolean full = near + far.size() > maxHeld || bytes > MAX_BYTES;
    return ended || full || request.arrivalMicros() < latest - horizonMicros;
  }

  private static boolean isBefore(RecordedRequest one, RecordedRequest other) {
    return one.arrivalMicros() < other.arrivalMicros()
        || (one.arrivalMicros() == other.arrivalMicros() && one.line() < other.line());
  }
}
