package dev.weir.server.rls;

import dev.weir.rule.book.Match;
import dev.weir.rules.domain.DescriptorMatch;
import dev.weir.rules.domain.DomainRule;
import dev.weir.rules.domain.Entry;
import dev.weir.server.rls.RlsReply.Status;
import dev.weir.server.rls.RlsRequest.DescriptorQuery;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A descriptor of a request, and the checks of all limits that apply to it. */
final class DescriptorCheck {
  final DescriptorQuery query;

  /** The rule of the domain that matches; null if there is none, or the client sent a limit. */
  final @Nullable DescriptorMatch domainMatch;

  /** The name of its metrics; empty if its domain does not limit it. */
  String metric = "";

  /** The limits of the domain first, then those of our own rules. */
  final List<LimitCheck> checks = new ArrayList<>(2);

  /**
   * Whether an operator blocks the caller; the first check then says so, and is not the domain's.
   */
  boolean callerBlocked;

  /** How many of the checks are of the domain. */
  int domainChecks;

  /** What our own rules charge for it. */
  @Nullable Match ruleMatch;

  DescriptorCheck(DescriptorQuery query, @Nullable DescriptorMatch domainMatch) {
    this.query = query;
    this.domainMatch = domainMatch;
  }

  @Nullable DomainRule domainRule() {
    return domainMatch == null ? null : domainMatch.rule();
  }

  /** Whether its domain never limits it, and no rule of our own applies. */
  boolean isUnlimited() {
    return checks.isEmpty() && domainMatch != null && domainMatch.rule().isUnlimited();
  }

  /** Whether it is a quota: over its limit it denies nothing as long as another quota has room. */
  boolean isQuota() {
    return domainChecks > 0 && domainMatch != null && domainMatch.rule().enforcement().quota();
  }

  /** Whether one of our own rules denies it; no quota of its domain makes up for that. */
  boolean isDeniedByRules() {
    return checks.subList(domainChecks, checks.size()).stream().anyMatch(LimitCheck::isOver);
  }

  /** Whether limits that are charged independently have no room; valid once they are answered. */
  boolean isOverByTallies() {
    return checks.stream()
        .anyMatch(check -> check.terms.role() == Role.INDEPENDENT && check.isOver());
  }

  boolean isDeniedByDomain() {
    return checks.subList(0, domainChecks).stream().anyMatch(LimitCheck::isOver);
  }

  /** The status for the client; valid once all checks are answered. */
  Status status() {
    if (checks.isEmpty()) {
      return isUnlimited() ? Status.UNLIMITED : Status.UNMATCHED;
    }
    LimitCheck decisive = decisive(checks.size());
    return new Status(
        decisive.isOver(), decisive.terms.current(), decisive.remaining(), decisive.resetSeconds());
  }

  /** The check among the first {@code count} that the client sees. */
  private LimitCheck decisive(int count) {
    LimitCheck decisive = checks.get(0);
    for (int i = 1; i < count; i++) {
      decisive = checks.get(i).outranks(decisive) ? checks.get(i) : decisive;
    }
    return decisive;
  }

  int priority() {
    return checks.isEmpty() ? 0 : decisive(checks.size()).terms.priority();
  }

  /** Reports the result of the domain's limits, if there are any; each hit is reported once. */
  void report(String domain, RlsListener listener) {
    if (domainChecks > 0 || callerBlocked) {
      long hits = query.refund() ? -query.hits() : query.hits();
      LimitCheck check = callerBlocked ? checks.get(0) : decisive(domainChecks);
      List<Entry> entries = domainMatch == null ? query.entries() : domainMatch.counted();
      boolean ofCaller = domainMatch != null && entries.size() == 1;
      long hash = check.counterHash(ofCaller);
      RlsListener.CountedBy counter = new RlsListener.CountedBy(entries, hash, ofCaller);
      listener.onLimitChecked(domain, metric, domainRule(), counter, check.report(hits));
    }
  }
}
