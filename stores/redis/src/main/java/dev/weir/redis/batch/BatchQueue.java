package dev.weir.redis.batch;

import dev.weir.Operation;
import dev.weir.StoreFailure.Effect;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;

/** The requests that wait in a {@link Lane}, in their order. Guarded by the lane's lock. */
final class BatchQueue {
  /** While a script runs, Redis serves nothing else; and a script can name at most 8,000 keys. */
  private static final int MAX_CLAIMS_IN_BATCH = 4_000;

  private final int maxWaiting;
  private final int maxInBatch;
  private final Deque<PendingRequest> waiting = new ArrayDeque<>();

  BatchQueue(int maxWaiting, int maxInBatch) {
    this.maxWaiting = maxWaiting;
    this.maxInBatch = maxInBatch;
  }

  int maxWaiting() {
    return maxWaiting;
  }

  boolean isFull() {
    return waiting.size() >= maxWaiting;
  }

  boolean isEmpty() {
    return waiting.isEmpty();
  }

  void add(PendingRequest request) {
    waiting.addLast(request);
  }

  /** Removes the next batch, which is empty if no request waits. */
  List<PendingRequest> removeBatch() {
    List<PendingRequest> batch = new ArrayList<>(Math.min(maxInBatch, waiting.size()));
    int room = MAX_CLAIMS_IN_BATCH;
    for (PendingRequest first = waiting.peekFirst();
        first != null && batch.size() < maxInBatch && first.claims.size() <= room;
        first = waiting.peekFirst()) {
      waiting.removeFirst();
      boolean granting = first.operation == Operation.TAKE || first.operation == Operation.PEEK;
      if (first.isAwaited() || !granting) {
        room -= first.claims.size();
        batch.add(first);
      } else {
        first.abandon(Effect.NONE, "cancelled"); // not sent, so it costs nothing
      }
    }
    return batch;
  }

  /** Removes the requests whose deadline has passed. */
  List<PendingRequest> removeExpired(StallClock clock) {
    List<PendingRequest> expired = new ArrayList<>();
    for (Iterator<PendingRequest> each = waiting.iterator(); each.hasNext(); ) {
      PendingRequest request = each.next();
      if (clock.leftNanos(request.deadline) <= 0) {
        expired.add(request);
        each.remove();
      }
    }
    return expired;
  }

  List<PendingRequest> removeAll() {
    List<PendingRequest> all = List.copyOf(waiting);
    waiting.clear();
    return all;
  }

  /** The time until the earliest deadline; {@link Long#MAX_VALUE} if no request waits. */
  long leftNanos(StallClock clock) {
    long earliest = Long.MAX_VALUE;
    for (PendingRequest request : waiting) {
      earliest = Math.min(earliest, clock.leftNanos(request.deadline));
    }
    return earliest;
  }
}
