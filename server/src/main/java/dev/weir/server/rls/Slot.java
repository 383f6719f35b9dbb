package dev.weir.server.rls;

import dev.weir.domain.DomainRule;
import dev.weir.domain.Hit;
import dev.weir.rule.Match;
import dev.weir.server.rls.RlsReply.Status;
import dev.weir.server.rls.RlsRequest.Question;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A descriptor of a request, and all that applies to it. */
final class Slot {
  final Question question;

  /** What the domain says of it, unless the client brought a limit along. */
  final @Nullable Hit hit;

  /** What metrics of it are kept under; empty if it is not limited by its domain. */
  String metric = "";

  /** The limits of its domain first, then those of our own rules. */
  final List<Line> lines = new ArrayList<>(2);

  /** How many of the lines are of the domain. */
  int ofDomain;

  /** What our own rules make of it. */
  @Nullable Match match;

  Slot(Question question, @Nullable Hit hit) {
    this.question = question;
    this.hit = hit;
  }

  @Nullable DomainRule rule() {
    return hit == null ? null : hit.rule();
  }

  /** Whether its domain lets it pass whatever comes, and no rule of our own applies. */
  boolean isUnlimited() {
    return lines.isEmpty() && hit != null && hit.rule().isUnlimited();
  }

  /** Whether one that is over denies nobody as long as another has room. */
  boolean isQuota() {
    return ofDomain > 0 && hit != null && hit.rule().quota();
  }

  /** Whether one of our own rules denies it, which no quota of its domain makes up for. */
  boolean isDeniedByRules() {
    return lines.subList(ofDomain, lines.size()).stream().anyMatch(Line::isOver);
  }

  /** Whether limits that are charged each by itself have no room, once they are settled. */
  boolean isOverByTallies() {
    return lines.stream().anyMatch(line -> line.terms.role() == Role.EACH && line.isOver());
  }

  boolean isDeniedByDomain() {
    return lines.subList(0, ofDomain).stream().anyMatch(Line::isOver);
  }

  /** What the client is told, once all lines are settled. */
  Status status() {
    if (lines.isEmpty()) {
      return isUnlimited() ? Status.UNLIMITED : Status.UNMATCHED;
    }
    Line told = told(lines.size());
    return new Status(told.isOver(), told.terms.told(), told.remaining(), told.resetSeconds());
  }

  /** The line that speaks for all, or for the first ones. */
  private Line told(int first) {
    Line told = lines.get(0);
    for (int i = 1; i < first; i++) {
      told = lines.get(i).outranks(told) ? lines.get(i) : told;
    }
    return told;
  }

  int priority() {
    return lines.isEmpty() ? 0 : told(lines.size()).terms.priority();
  }

  /** What the limits of the domain say, if there are any; each hit is told once. */
  void tell(String domain, RlsWatcher watcher) {
    if (ofDomain > 0) {
      long hits = question.refund() ? -question.hits() : question.hits();
      watcher.told(domain, metric, rule(), told(ofDomain).told(hits));
    }
  }
}
