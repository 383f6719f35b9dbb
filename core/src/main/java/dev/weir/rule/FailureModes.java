package dev.weir.rule;

import dev.weir.Decision;
import dev.weir.Decision.Basis;
import dev.weir.Decision.Verdict;
import dev.weir.StoreFailure;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionException;

/** What the rules of a request say while the store does not answer. */
final class FailureModes {
  private FailureModes() {}

  /** The failure mode of a claim; one whose rule never asks the store is counted as always. */
  static Rule.WhenStoreFails of(Match match, int claim) {
    return match.claims().get(claim).mode().isLocal()
        ? Rule.WhenStoreFails.LOCAL
        : match.rules().get(claim).whenStoreFails();
  }

  /** Whether one of the rules denies the request. */
  static boolean deny(Match match) {
    boolean denied = false;
    for (int i = 0; i < match.claims().size() && !denied; i++) {
      denied = of(match, i) == Rule.WhenStoreFails.DENY;
    }
    return denied;
  }

  /**
   * The claims to be counted in this process.
   *
   * @throws CompletionException of the failure, if one of the rules denies the request
   */
  static Match counted(Match match, StoreFailure failure) {
    Match counted = new Match();
    for (int i = 0; i < match.claims().size(); i++) {
      switch (of(match, i)) {
        case ALLOW -> {}
        case LOCAL ->
            counted.add(match.rules().get(i), match.policies().get(i), match.claims().get(i), true);
        case DENY -> throw new CompletionException(failure);
      }
    }
    return counted;
  }

  /** A decision on the {@link #counted} claims, as one on all claims of the request. */
  static Decision inFull(Match match, Decision counted) {
    List<Decision> each = new ArrayList<>();
    int next = 0;
    for (int i = 0; i < match.claims().size(); i++) {
      boolean local = of(match, i) == Rule.WhenStoreFails.LOCAL;
      long capacity = match.claims().get(i).limit().capacity();
      each.add(
          local
              ? counted.each().get(next++)
              : Decision.of(Verdict.ALLOWED, capacity, 0, 0).on(Basis.UNCOUNTED));
    }
    return Decision.of(List.copyOf(each));
  }
}
