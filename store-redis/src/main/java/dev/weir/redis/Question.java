package dev.weir.redis;

import dev.weir.Algorithm;
import dev.weir.Claim;
import dev.weir.algorithm.Counter;
import dev.weir.algorithm.Step;
import dev.weir.operation.Operation;
import java.util.ArrayList;
import java.util.List;

/**
 * What a script is asked: a request, or several takes that are all the same.
 *
 * <p>Takes of the same from the same counter are asked for once, with their number. The script says
 * how the counter stood and what time it was, and what became of each take is worked out here, by
 * the same functions that count in this process.
 */
final class Question {
  final List<Pending> requests = new ArrayList<>(1);
  final boolean takes;

  Question(Pending first) {
    requests.add(first);
    Algorithm algorithm = first.claims.get(0).limit().algorithm();
    this.takes =
        first.operation == Operation.TAKE
            && first.claims.size() == 1
            && algorithm != Algorithm.SLIDING_LOG // has more to tell than a few numbers
            && algorithm != Algorithm.CONCURRENCY;
  }

  Pending first() {
    return requests.get(0);
  }

  /** The claim of each take. */
  Claim claim() {
    return first().claims.get(0);
  }

  boolean isLike(Pending request) {
    return takes && request.operation == Operation.TAKE && request.claims.equals(first().claims);
  }

  /** Whether the counter is all in two numbers, and its limit tells the rest. */
  boolean isPlain() {
    return takes
        && switch (claim().limit().algorithm()) {
          case TOKEN_BUCKET, LEAKY_BUCKET -> true;
          case FIXED_WINDOW -> claim().limit().calendar().isEmpty();
          default -> false;
        };
  }

  /** Gives each take its decision, from how the counter was before them. */
  void complete(long levelBefore, long atBefore, long nowMicros) {
    long level = levelBefore;
    long at = atBefore;
    for (Pending request : requests) {
      Step step = Counter.take(level, at, Step.NO_LOG, claim(), nowMicros);
      level = step.level();
      at = step.at();
      request.decided(step.decision());
    }
  }
}
