package dev.weir.redis.batch;

import java.util.List;

/** A batch that a {@link Lane} has begun to send. Its flags are guarded by the lane's lock. */
final class InFlightBatch {
  final List<PendingRequest> requests;

  /** Whether {@link Lane.Sender#send} has returned. */
  boolean sent;

  /** Whether the reply has come, or the batch was given up. */
  boolean returned;

  /** Whether a deadline has passed, so that the batch is to be given up. */
  boolean late;

  InFlightBatch(List<PendingRequest> requests) {
    this.requests = requests;
  }

  /**
   * Adds the requests that are still awaited though their deadline has passed.
   *
   * @return whether the deadline of any request has passed, awaited or not
   */
  boolean addExpired(StallClock clock, List<PendingRequest> expired) {
    boolean found = false;
    for (PendingRequest request : requests) {
      if (clock.leftNanos(request.deadline) <= 0) {
        found = true;
        if (request.isAwaited()) {
          expired.add(request);
        }
      }
    }
    return found;
  }

  /**
   * The time until the next deadline. In a batch that has not returned, deadlines count even if no
   * caller waits any more: the batch must be given up then, to let others be sent.
   */
  long leftNanos(StallClock clock) {
    long earliest = Long.MAX_VALUE;
    for (PendingRequest request : requests) {
      if (request.isAwaited() || (!returned && !late)) {
        earliest = Math.min(earliest, clock.leftNanos(request.deadline));
      }
    }
    return earliest;
  }

  /** Whether a request has no answer yet. */
  boolean isAwaited() {
    for (PendingRequest request : requests) {
      if (request.isAwaited()) {
        return true;
      }
    }
    return false;
  }
}
