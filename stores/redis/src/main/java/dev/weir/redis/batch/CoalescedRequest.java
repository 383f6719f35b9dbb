package dev.weir.redis.batch;

import dev.weir.Algorithm;
import dev.weir.Claim;
import dev.weir.Operation;
import dev.weir.algorithm.Counter;
import dev.weir.algorithm.Step;
import java.util.ArrayList;
import java.util.List;

/**
 * One entry in a call of a script: a single request, or several identical takes from one counter.
 *
 * <p>Identical takes are coalesced into one entry with a count. The script returns the state of the
 * counter before them and the time, and {@link #complete} derives the decision of each take with
 * the same functions that count in this process.
 */
final class CoalescedRequest {
  final List<PendingRequest> requests = new ArrayList<>(1);

  /** Whether it is a take that identical ones can join. */
  final boolean isTake;

  CoalescedRequest(PendingRequest first) {
    requests.add(first);
    Algorithm algorithm = first.claims.get(0).limit().algorithm();
    this.isTake =
        first.operation == Operation.TAKE
            && first.claims.size() == 1
            && algorithm != Algorithm.SLIDING_LOG // its state is more than a few numbers
            && algorithm != Algorithm.CONCURRENCY;
  }

  PendingRequest first() {
    return requests.get(0);
  }

  /** The claim of each take. */
  Claim claim() {
    return first().claims.get(0);
  }

  /** Whether a request can join these. */
  boolean matches(PendingRequest request) {
    return isTake && request.operation == Operation.TAKE && request.claims.equals(first().claims);
  }

  /** Whether it is a take from a counter whose state is two numbers, given its limit. */
  boolean isPlain() {
    return isTake
        && switch (claim().limit().algorithm()) {
          case TOKEN_BUCKET, LEAKY_BUCKET -> true;
          case FIXED_WINDOW -> claim().limit().calendar().isEmpty();
          default -> false;
        };
  }

  /** Completes each take with its decision, from the state of the counter before them. */
  void complete(long levelBefore, long atBefore, long nowMicros) {
    long level = levelBefore;
    long at = atBefore;
    for (PendingRequest request : requests) {
      Step step = Counter.take(level, at, Step.NO_LOG, claim(), nowMicros);
      level = step.level();
      at = step.at();
      request.onDecision(step.decision());
    }
  }
}
