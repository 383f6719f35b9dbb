package dev.weir.library.status;

import dev.weir.Decision;
import dev.weir.StoreFailure;
import dev.weir.limiter.Limiter;
import dev.weir.rule.book.Explanation;
import dev.weir.rule.book.Explanation.Failed;
import dev.weir.rule.book.Match;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Collectors;

/** Finds out how rules stand towards a request, and spends nothing. Thread-safe. */
public final class RuleStates {
  private RuleStates() {}

  /** How an explained rule stands by the counters of a limiter; waits for the store. */
  public static RuleState of(Explanation explained, Limiter limiter) {
    String name = explained.rule().name();
    String limits = explained.allowance().toString();
    if (!explained.applies()) {
      return new RuleState(
          name, false, reason(explained), limits, true, OptionalLong.empty(), Optional.empty());
    }
    Match match = explained.match();
    if (match.blockedBy().isPresent()) {
      return new RuleState(name, true, "", limits, false, OptionalLong.empty(), Optional.empty());
    }
    if (match.claims().isEmpty()) {
      return new RuleState(name, true, "", limits, true, OptionalLong.empty(), Optional.empty());
    }
    try {
      Decision decision = limiter.peek(match).join();
      OptionalLong left = OptionalLong.of(decision.remaining());
      return new RuleState(name, true, "", limits, decision.allowed(), left, decision.retryAfter());
    } catch (StoreFailure e) {
      return new RuleState(name, true, "", limits, true, OptionalLong.empty(), Optional.empty());
    }
  }

  private static String reason(Explanation explained) {
    if (explained.caller().skipped()) {
      return "the request lacks a part of what the rule counts by";
    }
    if (explained.caller().outside()) {
      return "the caller is outside the share of callers that the rule applies to";
    }
    return explained.failed().stream().map(RuleStates::text).collect(Collectors.joining("; "));
  }

  private static String text(Failed failed) {
    String value = failed.value() == null ? "absent" : failed.value();
    return failed.condition().name() + ": " + value + expected(failed);
  }

  private static String expected(Failed failed) {
    return " (expected: " + failed.condition().expected() + ")";
  }
}
