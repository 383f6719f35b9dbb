package dev.weir.limiter;

import dev.weir.Answer;
import dev.weir.Decision;
import dev.weir.Store;
import dev.weir.StoreFailure;
import dev.weir.limiter.Limiter.Listener;
import dev.weir.rule.Rule;
import dev.weir.rule.book.Charge;
import dev.weir.rule.book.Match;
import dev.weir.rule.book.Twin;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Counts requests by the limits that are not in force, and reports whether they agree with those
 * that are.
 *
 * <p>A rule with a candidate has two sets of limits. The one that is not in force is counted as if
 * it were: taken, all or none, unless another rule denied the request. Nothing is judged that the
 * store has not decided. No answer waits for a candidate, and none depends on it.
 */
public final class Candidates {
  private Candidates() {}

  /** Judges the candidates of rules that are enforced, by a decision of the store. */
  static void judge(Match match, Decision decision, Store store, Listener listener) {
    if (!match.twins().isEmpty()) {
      judge(match, denying(match, decision), store, listener);
    }
  }

  private static Set<Rule> denying(Match match, Decision decision) {
    Set<Rule> denying = new HashSet<>();
    List<Charge> charges = match.charges();
    for (int i = 0; i < charges.size() && !decision.allowed(); i++) {
      if (!decision.each().get(i).allowed()) {
        denying.add(charges.get(i).rule());
      }
    }
    return denying;
  }

  /**
   * Judges the candidates of rules that are enforced.
   *
   * @param denying the rules that denied the request; empty if it passes
   */
  public static void judge(Match match, Set<Rule> denying, Store store, Listener listener) {
    for (Twin twin : match.twins()) {
      boolean denies = denying.contains(twin.rule());
      if (!twin.shadow() && denying.size() == (denies ? 1 : 0)) {
        judge(twin, !denies, store, listener);
      }
    }
  }

  private static void judge(Twin twin, boolean allowed, Store store, Listener listener) {
    Answer other = take(twin, store);
    if (other instanceof Decision decision) {
      report(twin, allowed, decision, listener);
    } else {
      var unused = other.stage().thenAccept(decision -> report(twin, allowed, decision, listener));
    }
  }

  /**
   * Judges the candidate of a rule in shadow mode, if there is one, for a request that passes.
   *
   * @param inForce whether the limits in force would have let it pass
   */
  static void judgeInShadow(
      Match match, Rule rule, Answer inForce, Store store, Listener listener) {
    for (Twin twin : match.twins()) {
      if (twin.shadow() && twin.rule().equals(rule)) {
        Answer other = take(twin, store);
        var unused =
            inForce
                .stage()
                .thenAcceptBoth(
                    other.stage(), (one, two) -> report(twin, one.allowed(), two, listener));
      }
    }
  }

  private static Answer take(Twin twin, Store store) {
    try {
      return store.take(twin.claims());
    } catch (StoreFailure e) {
      return Answer.failed(e); // not judged; the request is decided already
    }
  }

  private static void report(Twin twin, boolean inForce, Decision other, Listener listener) {
    listener.onCandidate(
        twin.rule(),
        twin.ofCandidate()
            ? Agreement.of(inForce, other.allowed())
            : Agreement.of(other.allowed(), inForce));
  }
}
