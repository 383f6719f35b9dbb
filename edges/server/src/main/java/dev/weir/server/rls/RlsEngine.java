package dev.weir.server.rls;

import dev.weir.key.KeySpace;
import dev.weir.limiter.Candidates;
import dev.weir.limiter.Limiter;
import dev.weir.limiter.RuleOutcomes;
import dev.weir.limiter.ShadowRules;
import dev.weir.rule.FailureMode;
import dev.weir.rule.Rule;
import dev.weir.rule.book.Match;
import dev.weir.rules.domain.DescriptorRules;
import dev.weir.server.rls.RlsListener.Verdict;
import dev.weir.server.rls.RlsObserver.DecidingLimit;
import dev.weir.server.rls.RlsReply.Status;
import dev.weir.time.Ticker;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * Decides requests of Envoy's rate limit service, independently of the wire format. Safe for use by
 * any number of threads.
 *
 * <p>Each descriptor has a status of its own; the request is denied if any of them is, except that
 * quotas deny together. What is charged depends on the rule: by default every request, whatever
 * becomes of it, as users of envoyproxy/ratelimit expect; strict rules are charged {@linkplain
 * AllOrNone all or none}.
 */
public final class RlsEngine {
  private static final List<FailureMode> STRICTEST_FIRST =
      List.of(FailureMode.DENY, FailureMode.LOCAL, FailureMode.ALLOW);

  private final Limiter limiter;
  private final StoreCalls calls;
  private final RlsCounters counters;
  private final ExhaustedWindowCache exhausted;
  private final RlsSettings settings;
  private final RlsListener listener;

  /**
   * An engine that charges through a limiter.
   *
   * @param limiter has the store, the degradation, and the listener for outcomes of our own rules
   * @param listener receives the outcomes of domain limits
   */
  public RlsEngine(
      Limiter limiter, KeySpace keys, Ticker ticker, RlsSettings settings, RlsListener listener) {
    this.limiter = limiter;
    this.exhausted = new ExhaustedWindowCache(settings.localCacheBytes());
    this.calls = new StoreCalls(limiter, ticker, exhausted);
    this.counters = new RlsCounters(keys);
    this.settings = settings;
    this.listener = listener;
  }

  /** The settings of the service. */
  public RlsSettings settings() {
    return settings;
  }

  /** The listener for outcomes of domain limits. */
  public RlsListener listener() {
    return listener;
  }

  /** The clock by which {@link #decide} measures how long a request takes. */
  public long nowMicros() {
    return calls.nowMicros();
  }

  /** Decides a request that has just arrived, and charges it. */
  public CompletionStage<RlsReply> decide(DescriptorRules rules, RlsRequest request) {
    return decide(rules, request, nowMicros(), RlsObserver.NONE);
  }

  /**
   * Decides a request, and charges it. The stage does not fail if the store does not answer: the
   * failure modes of the rules decide then.
   *
   * @param arrivedMicros when the request began to arrive, by {@link #nowMicros}
   * @param observer gets the reply before the stage completes
   * @throws RlsRequest.Refused if more limits apply at once than a store takes
   */
  public CompletionStage<RlsReply> decide(
      DescriptorRules rules, RlsRequest request, long arrivedMicros, RlsObserver observer) {
    long nowMicros = calls.nowMicros();
    RequestPlanner planner =
        new RequestPlanner(rules, request, counters, exhausted, settings.quota(), nowMicros);
    if (!planner.isDomainKnown()) {
      listener.onUnknownDomain(request.domain());
    }
    ChargePlan plan = planner.plan();
    return calls
        .execute(plan)
        .thenApply(
            done -> {
              RlsReply reply = reply(request.domain(), plan.descriptors);
              listener.onDecision(reply.verdict(), calls.nowMicros() - arrivedMicros);
              reply.failureMode().ifPresent(listener::onDegraded);
              if (observer != RlsObserver.NONE) {
                boolean denied = reply.verdict() != Verdict.OK;
                observer.onReply(reply, DecidingLimit.of(plan.descriptors, denied));
              }
              return reply;
            });
  }

  private RlsReply reply(String domain, List<DescriptorCheck> descriptors) {
    List<Status> statuses = new ArrayList<>(descriptors.size());
    Status nearest = null;
    int priority = 0;
    boolean denied = false;
    int quotas = 0;
    int exhausted = 0;
    for (DescriptorCheck descriptor : descriptors) {
      Status status = descriptor.status();
      statuses.add(status);
      descriptor.report(domain, listener);
      boolean quota = settings.quota() || descriptor.isQuota();
      boolean denies = quota ? !settings.quota() && descriptor.isDeniedByRules() : status.over();
      if (outranks(status, denies, descriptor.priority(), nearest, denied, priority)) {
        nearest = status;
        priority = descriptor.priority();
      }
      denied |= denies;
      if (quota && !descriptor.isUnlimited()) {
        quotas++;
        boolean used = settings.quota() ? status.over() : descriptor.isDeniedByDomain();
        exhausted += used ? 1 : 0;
      }
    }
    boolean over = denied || (quotas > 0 && quotas == exhausted);
    reportRules(descriptors, over);
    Verdict verdict =
        !over ? Verdict.OK : settings.shadow() ? Verdict.SHADOWED : Verdict.OVER_LIMIT;
    return new RlsReply(
        verdict,
        statuses,
        Optional.ofNullable(nearest),
        failureMode(descriptors, verdict == Verdict.OVER_LIMIT),
        settings.dynamicMetadata() ? metadata(descriptors, statuses) : Map.of());
  }

  /**
   * The failure mode that decided, if the store did not answer. A denial is not degraded if the
   * store answered for one of the limits that denied; otherwise it has the strictest mode of those
   * that denied. A request that passes has the strictest mode of all its limits; where a limit in
   * mode deny did not stop it, it passed uncounted.
   */
  private static Optional<FailureMode> failureMode(
      List<DescriptorCheck> descriptors, boolean denied) {
    FailureMode strictest = null;
    for (DescriptorCheck descriptor : descriptors) {
      for (LimitCheck check : descriptor.checks) {
        FailureMode mode = check.failureMode();
        if (denied && check.isOver() && mode == null) {
          return Optional.empty();
        }
        if (mode != null && (check.isOver() || !denied)) {
          mode = !denied && mode == FailureMode.DENY ? FailureMode.ALLOW : mode;
          strictest = strictest == null || isStricter(mode, strictest) ? mode : strictest;
        }
      }
    }
    return Optional.ofNullable(strictest);
  }

  private static boolean isStricter(FailureMode one, FailureMode other) {
    return STRICTEST_FIRST.indexOf(one) < STRICTEST_FIRST.indexOf(other);
  }

  /** Whether a status is shown rather than the nearest one so far. */
  private static boolean outranks(
      Status status,
      boolean denies,
      int priority,
      @Nullable Status nearest,
      boolean denied,
      int nearestPriority) {
    if (status.limit() == null) {
      return false;
    }
    if (nearest == null || denies != denied) {
      return nearest == null || denies;
    }
    return denies ? priority >= nearestPriority : status.remaining() < nearest.remaining();
  }

  private static Map<String, Object> metadata(
      List<DescriptorCheck> descriptors, List<Status> statuses) {
    Map<String, Object> merged = new LinkedHashMap<>();
    for (int i = 0; i < descriptors.size(); i++) {
      DescriptorCheck descriptor = descriptors.get(i);
      if (descriptor.domainMatch != null
          && descriptor.domainChecks > 0
          && !statuses.get(i).over()) {
        merge(merged, descriptor.domainMatch.rule().reporting().metadata());
      }
    }
    return merged;
  }

  /** The first value of a name wins; maps are merged. */
  @SuppressWarnings("unchecked") // metadata consists of maps with string keys at every level
  private static void merge(Map<String, Object> merged, Map<String, Object> more) {
    more.forEach(
        (name, value) -> {
          Object there = merged.get(name);
          if (!merged.containsKey(name)) {
            merged.put(
                name,
                value instanceof Map ? new LinkedHashMap<>((Map<String, Object>) value) : value);
          } else if (there instanceof Map && value instanceof Map) {
            Map<String, Object> both = new LinkedHashMap<>((Map<String, Object>) there);
            merge(both, (Map<String, Object>) value);
            merged.put(name, both);
          }
        });
  }

  /** Reports one outcome for each of our own rules that a descriptor meets, as the limiter does. */
  private void reportRules(List<DescriptorCheck> descriptors, boolean over) {
    for (DescriptorCheck descriptor : descriptors) {
      Match match = descriptor.ruleMatch;
      if (match == null || descriptor.query.isPeek() || descriptor.query.refund()) {
        continue;
      }
      RuleOutcomes outcomes =
          new RuleOutcomes(limiter.listener(), match, !over || settings.shadow());
      for (LimitCheck check :
          descriptor.checks.subList(descriptor.domainChecks, descriptor.checks.size())) {
        if (check.rule != null) {
          Limiter.Outcome outcome = settings.shadow() ? outcomeInShadow(check) : outcome(check);
          outcomes.add(check.rule, outcome, check.claim, check.remaining());
        }
      }
      outcomes.end();
      judgeCandidates(descriptor, match, descriptors);
      if (!over) {
        ShadowRules.count(match, limiter.store(), limiter.listener());
      }
    }
  }

  /** Judges candidates, unless somebody else denied the request, or the store did not answer. */
  private void judgeCandidates(
      DescriptorCheck descriptor, Match match, List<DescriptorCheck> descriptors) {
    if (match.twins().isEmpty()) {
      return;
    }
    Set<Rule> denying = new HashSet<>();
    for (DescriptorCheck one : descriptors) {
      for (LimitCheck check : one.checks) {
        if (check.failureMode() != null) {
          return;
        }
        if (check.isOver() && (one != descriptor || check.rule == null || check.isBlocked())) {
          return;
        }
        if (check.isOver() && check.rule != null) {
          denying.add(check.rule);
        }
      }
    }
    Candidates.judge(match, denying, limiter.store(), limiter.listener());
  }

  private static Limiter.Outcome outcome(LimitCheck check) {
    return switch (check.outcome()) {
      case WITHIN -> Limiter.Outcome.ALLOWED;
      case OVER -> check.isBlocked() ? Limiter.Outcome.BLOCKED : Limiter.Outcome.DENIED;
      case SHADOW_OVER -> Limiter.Outcome.SHADOW_DENIED;
      case UNCOUNTED -> Limiter.Outcome.UNCOUNTED;
      case UNANSWERED -> Limiter.Outcome.UNANSWERED;
    };
  }

  /** The outcome while the service is in shadow mode, and denies nothing. */
  private static Limiter.Outcome outcomeInShadow(LimitCheck check) {
    return switch (outcome(check)) {
      case DENIED, BLOCKED -> Limiter.Outcome.SHADOW_DENIED;
      case UNANSWERED -> Limiter.Outcome.UNCOUNTED;
      default -> outcome(check);
    };
  }
}
