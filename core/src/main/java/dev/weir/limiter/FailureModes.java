package dev.weir.limiter;

import dev.weir.Decision;
import dev.weir.Decision.Basis;
import dev.weir.Decision.Verdict;
import dev.weir.Operation;
import dev.weir.rule.FailureMode;
import dev.weir.rule.book.Charge;
import dev.weir.rule.book.Match;
import java.util.ArrayList;
import java.util.List;

/** Applies the failure modes of all charges of a request. */
final class FailureModes {
  private FailureModes() {}

  static FailureMode of(Charge charge) {
    return Degradation.mode(Operation.TAKE, charge.claim(), charge.failureMode());
  }

  /** Whether one of the rules denies the request. */
  static boolean deny(Match match) {
    for (Charge charge : match.charges()) {
      if (of(charge) == FailureMode.DENY) {
        return true;
      }
    }
    return false;
  }

  /** The charges that are counted in the fallback. */
  static Match countedLocally(Match match) {
    return Match.of(
        match.charges().stream().filter(charge -> of(charge) == FailureMode.LOCAL).toList());
  }

  /** Completes a decision on the {@link #countedLocally} charges to one on all of them. */
  static Decision complete(Match match, Decision local) {
    List<Decision> each = new ArrayList<>(match.charges().size());
    int next = 0;
    for (Charge charge : match.charges()) {
      each.add(
          of(charge) == FailureMode.LOCAL
              ? local.each().get(next++)
              : uncounted(charge.claim().limit().capacity()));
    }
    return Decision.of(List.copyOf(each));
  }

  private static Decision uncounted(long capacity) {
    return Decision.of(Verdict.ALLOWED, capacity, 0, 0).withBasis(Basis.UNCOUNTED);
  }
}
