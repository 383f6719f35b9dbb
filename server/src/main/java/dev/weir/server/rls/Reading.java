package dev.weir.server.rls;

import dev.weir.Algorithm;
import dev.weir.Claim;
import dev.weir.Limit;
import dev.weir.domain.Domain;
import dev.weir.domain.DomainRule;
import dev.weir.domain.Entry;
import dev.weir.domain.Hit;
import dev.weir.domain.Unit;
import dev.weir.rule.Match;
import dev.weir.rule.Rule;
import dev.weir.rule.Rule.WhenStoreFails;
import dev.weir.server.rls.RlsReply.Current;
import dev.weir.server.rls.RlsRequest.Question;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Finds what applies to a request: limits of its domain, its own, and those of our own rules. */
final class Reading {
  private static final long SECOND_MICROS = 1_000_000;

  private final RlsRules rules;
  private final RlsRequest request;
  private final RlsCounters counters;
  private final OverLimits known;
  private final boolean quota;
  private final long nowMicros;

  /**
   * @param quota whether everything is one
   */
  Reading(
      RlsRules rules,
      RlsRequest request,
      RlsCounters counters,
      OverLimits known,
      boolean quota,
      long nowMicros) {
    this.known = known;
    this.rules = rules;
    this.request = request;
    this.counters = counters;
    this.quota = quota;
    this.nowMicros = nowMicros;
  }

  boolean isKnown() {
    return rules.domains().domain(request.domain()).isPresent();
  }

  Bill bill() {
    Optional<Domain> domain = rules.domains().domain(request.domain());
    List<Slot> slots = new ArrayList<>(request.questions().size());
    Set<String> replaced = Set.of();
    for (Question question : request.questions()) {
      Hit hit = domain.isEmpty() ? null : hit(domain.get(), question);
      slots.add(new Slot(question, hit));
      if (hit != null && !hit.rule().replaces().isEmpty()) {
        replaced = replaced.isEmpty() ? new HashSet<>() : replaced;
        replaced.addAll(hit.rule().replaces());
      }
    }
    Bill bill = new Bill(slots, known, quota, nowMicros);
    for (Slot slot : slots) {
      if (domain.isPresent() && slot.question.instead() != null) {
        addInstead(slot, slot.question.instead(), domain.get().isAllOrNone());
      } else if (slot.hit != null && !replaced.contains(slot.hit.rule().name())) {
        addOfDomain(slot, slot.hit);
      }
      slot.ofDomain = slot.lines.size();
      addOfRules(slot);
      bill.add(slot);
    }
    return bill;
  }

  private static @Nullable Hit hit(Domain domain, Question question) {
    return question.entries().isEmpty() || question.instead() != null
        ? null
        : domain.match(question.entries()).orElse(null);
  }

  /** The limit that the client brought along: counted as a configured one would be. */
  private void addInstead(Slot slot, RlsRequest.Instead instead, boolean allOrNone) {
    List<Entry> entries = slot.question.entries();
    long permits = instead.requestsPerUnit();
    Unit unit = instead.unit();
    long hits = slot.question.hits();
    Current told = new Current(permits, unit, "");
    Role role = !allOrNone ? Role.EACH : quota ? Role.QUOTA : Role.REQUIRED;
    Terms terms = new Terms(told, WhenStoreFails.LOCAL, 0, false, role);
    String domain = request.domain();
    slot.metric = RlsWatcher.OVERRIDE;
    if (!allOrNone) {
      Claim claim = counters.tally(domain, entries, unit, hits);
      slot.lines.add(Line.tallied(terms, claim, permits));
    } else if (permits == 0) {
      slot.lines.add(Line.blocked(terms, slot.question.refund(), untilEnd(unit), null));
    } else {
      Claim claim = counters.strict(domain, entries, permits, unit, hits);
      slot.lines.add(Line.strict(terms, claim, null));
    }
  }

  private long untilEnd(Unit unit) {
    long windowMicros = unit.duration().toSeconds() * SECOND_MICROS;
    return windowMicros - nowMicros % windowMicros;
  }

  private void addOfDomain(Slot slot, Hit hit) {
    DomainRule rule = hit.rule();
    DomainRule.Rate rate = rule.rate();
    if (rate == null) {
      return;
    }
    slot.metric = hit.metric();
    long hits = slot.question.hits();
    if (rate.limits().isEmpty()) {
      long resetMicros = untilEnd(rate.unit());
      Terms terms =
          terms(rule, rate, new Current(rate.requestsPerUnit(), rate.unit(), rule.name()));
      slot.lines.add(Line.blocked(terms, slot.question.refund(), resetMicros, null));
    }
    for (int i = 0; i < rate.limits().size(); i++) {
      Limit limit = rate.limits().get(i);
      Current told =
          rate.limits().size() == 1
              ? new Current(rate.requestsPerUnit(), rate.unit(), rule.name())
              : new Current(limit.permits(), Unit.nearest(limit.window()), rule.name());
      Terms terms = terms(rule, rate, told);
      String domain = request.domain();
      if (!rate.strict()) {
        Claim claim = counters.tally(domain, hit.counted(), limit, hits);
        slot.lines.add(Line.tallied(terms, claim, limit.permits()));
      } else if (limit.algorithm() != Algorithm.CONCURRENCY) {
        // What is in flight is left out: nobody would say that it is over.
        Claim claim = counters.strict(domain, rule, i, limit, hit.counted(), hits);
        slot.lines.add(Line.strict(terms, claim, null));
      }
    }
  }

  private Terms terms(DomainRule rule, DomainRule.Rate rate, Current told) {
    Role role =
        !rate.strict()
            ? Role.EACH
            : rule.shadow() ? Role.SHADOW : rule.quota() || quota ? Role.QUOTA : Role.REQUIRED;
    return new Terms(told, rule.whenStoreFails(), rule.priority(), rule.shadow(), role);
  }

  private void addOfRules(Slot slot) {
    Match found = rules.match(request.domain(), slot.question.entries()).orElse(null);
    if (found == null) {
      return;
    }
    // Whoever does not say what it costs pays what the rule says.
    long hits = slot.question.hits();
    Match match = found.costing(hits == 1 ? OptionalLong.empty() : OptionalLong.of(hits));
    slot.match = match;
    Role ofRules = quota ? Role.QUOTA : Role.REQUIRED;
    if (match.blockedBy().isPresent()) {
      Rule rule = match.blockedBy().get();
      Terms terms = new Terms(null, rule.whenStoreFails(), 0, false, ofRules);
      slot.lines.add(Line.blocked(terms, slot.question.refund(), 0, rule));
    }
    for (int i = 0; i < match.claims().size(); i++) {
      Claim claim = match.claims().get(i);
      Rule rule = match.rules().get(i);
      Limit limit = claim.limit();
      Current told =
          new Current(
              limit.permits(), Unit.nearest(limit.window()), match.policies().get(i).name());
      Terms terms = new Terms(told, rule.whenStoreFails(), 0, false, ofRules);
      slot.lines.add(Line.strict(terms, claim, rule));
    }
  }
}
