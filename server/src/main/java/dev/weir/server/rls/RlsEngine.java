package dev.weir.server.rls;

import dev.weir.Store;
import dev.weir.Ticker;
import dev.weir.guard.Standby;
import dev.weir.key.KeySpace;
import dev.weir.rule.Limiter;
import dev.weir.rule.Match;
import dev.weir.rule.Rule.WhenStoreFails;
import dev.weir.rule.RuleOutcomes;
import dev.weir.rule.ShadowRules;
import dev.weir.server.rls.RlsReply.Status;
import dev.weir.server.rls.RlsWatcher.Verdict;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * Decides about requests of Envoy's rate limit service, without knowing how they came.
 *
 * <p>Each descriptor is told about by itself; the request is denied if any of them is, except that
 * quotas deny together. What is charged depends on the rule: by default every request is, whatever
 * becomes of it, as that service's users know it; strict rules are charged {@linkplain AllOrNone
 * all or none}.
 */
public final class RlsEngine {
  private static final List<WhenStoreFails> STRICTEST_FIRST =
      List.of(WhenStoreFails.DENY, WhenStoreFails.LOCAL, WhenStoreFails.ALLOW);

  private final Asker asker;
  private final Store store;
  private final RlsCounters counters;
  private final OverLimits known;
  private final RlsSettings settings;
  private final RlsWatcher watcher;
  private final Limiter.Watcher ruleWatcher;

  /**
   * @param standby counts in this process for rules that want that while {@code store} does not
   *     answer; null if it always does
   * @param watcher hears of the limits of domains
   * @param ruleWatcher hears of our own rules
   */
  public RlsEngine(
      Store store,
      @Nullable Standby standby,
      KeySpace keys,
      Ticker ticker,
      RlsSettings settings,
      RlsWatcher watcher,
      Limiter.Watcher ruleWatcher) {
    this.known = new OverLimits(settings.localCacheBytes());
    this.asker = new Asker(store, standby, ticker, known);
    this.store = store;
    this.counters = new RlsCounters(keys);
    this.settings = settings;
    this.watcher = watcher;
    this.ruleWatcher = ruleWatcher;
  }

  public RlsSettings settings() {
    return settings;
  }

  RlsWatcher watcher() {
    return watcher;
  }

  /** The present, by which {@link #decide} counts how long a request has taken. */
  public long nowMicros() {
    return asker.nowMicros();
  }

  /** {@link #decide(RlsRules, RlsRequest, long)} about a request that has just arrived. */
  public CompletionStage<RlsReply> decide(RlsRules rules, RlsRequest request) {
    return decide(rules, request, nowMicros());
  }

  /**
   * Decides, and charges. That the store does not answer is no failure: the rules say what then.
   *
   * @param arrivedMicros when the request began to arrive, by {@link #nowMicros}
   * @throws RlsRequest.Refused if it cannot be answered
   */
  public CompletionStage<RlsReply> decide(RlsRules rules, RlsRequest request, long arrivedMicros) {
    long nowMicros = asker.nowMicros();
    Reading reading = new Reading(rules, request, counters, known, settings.quota(), nowMicros);
    if (!reading.isKnown()) {
      watcher.unknown(request.domain());
    }
    Bill bill = reading.bill();
    return asker
        .ask(bill)
        .thenApply(
            done -> {
              RlsReply reply = reply(request.domain(), bill.slots);
              watcher.decided(reply.verdict(), asker.nowMicros() - arrivedMicros);
              reply.without().ifPresent(watcher::without);
              return reply;
            });
  }

  private RlsReply reply(String domain, List<Slot> slots) {
    List<Status> statuses = new ArrayList<>(slots.size());
    Status nearest = null;
    int priority = 0;
    boolean denied = false;
    int quotas = 0;
    int usedUp = 0;
    for (Slot slot : slots) {
      Status status = slot.status();
      statuses.add(status);
      slot.tell(domain, watcher);
      boolean quota = settings.quota() || slot.isQuota();
      boolean denies = quota ? !settings.quota() && slot.isDeniedByRules() : status.over();
      if (outranks(status, denies, slot.priority(), nearest, denied, priority)) {
        nearest = status;
        priority = slot.priority();
      }
      denied |= denies;
      if (quota && !slot.isUnlimited()) {
        quotas++;
        boolean used = settings.quota() ? status.over() : slot.isDeniedByDomain();
        usedUp += used ? 1 : 0;
      }
    }
    boolean over = denied || (quotas > 0 && quotas == usedUp);
    tellOfRules(slots, over);
    Verdict verdict =
        !over ? Verdict.OK : settings.shadow() ? Verdict.SHADOWED : Verdict.OVER_LIMIT;
    return new RlsReply(
        verdict,
        statuses,
        Optional.ofNullable(nearest),
        without(slots, verdict == Verdict.OVER_LIMIT),
        settings.dynamicMetadata() ? metadata(slots, statuses) : Map.of());
  }

  /**
   * How it was decided without the store. A denial is as good as ever if one that denied is;
   * otherwise it is the strictest way of those that denied. What passes went the strictest way of
   * all; what was to be denied and passes nevertheless was not counted.
   */
  private static Optional<WhenStoreFails> without(List<Slot> slots, boolean denied) {
    WhenStoreFails strictest = null;
    for (Slot slot : slots) {
      for (Line line : slot.lines) {
        WhenStoreFails way = line.without();
        if (denied && line.isOver() && way == null) {
          return Optional.empty();
        }
        if (way != null && (line.isOver() || !denied)) {
          way = !denied && way == WhenStoreFails.DENY ? WhenStoreFails.ALLOW : way;
          strictest = strictest == null || isStricter(way, strictest) ? way : strictest;
        }
      }
    }
    return Optional.ofNullable(strictest);
  }

  private static boolean isStricter(WhenStoreFails one, WhenStoreFails other) {
    return STRICTEST_FIRST.indexOf(one) < STRICTEST_FIRST.indexOf(other);
  }

  /** Whether a status is to be shown rather than the one so far. */
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

  private static Map<String, Object> metadata(List<Slot> slots, List<Status> statuses) {
    Map<String, Object> merged = new LinkedHashMap<>();
    for (int i = 0; i < slots.size(); i++) {
      Slot slot = slots.get(i);
      if (slot.hit != null && slot.ofDomain > 0 && !statuses.get(i).over()) {
        merge(merged, slot.hit.rule().metadata());
      }
    }
    return merged;
  }

  /** Who comes first has its say; maps are merged. */
  @SuppressWarnings("unchecked") // metadata is made of maps with names, all the way down
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
  private void tellOfRules(List<Slot> slots, boolean over) {
    for (Slot slot : slots) {
      Match match = slot.match;
      if (match == null || slot.question.isLook() || slot.question.refund()) {
        continue;
      }
      RuleOutcomes outcomes = new RuleOutcomes(ruleWatcher, !over || settings.shadow());
      for (Line line : slot.lines.subList(slot.ofDomain, slot.lines.size())) {
        if (line.rule != null) {
          outcomes.add(line.rule, settings.shadow() ? outcomeInShadow(line) : outcome(line));
        }
      }
      outcomes.end();
      if (!over) {
        ShadowRules.count(match, store, ruleWatcher);
      }
    }
  }

  private static Limiter.Outcome outcome(Line line) {
    return switch (line.outcome()) {
      case WITHIN -> Limiter.Outcome.ALLOWED;
      case OVER -> line.isBlocked() ? Limiter.Outcome.BLOCKED : Limiter.Outcome.DENIED;
      case SHADOW_OVER -> Limiter.Outcome.SHADOW_DENIED;
      case UNCOUNTED -> Limiter.Outcome.UNCOUNTED;
      case UNANSWERED -> Limiter.Outcome.UNANSWERED;
    };
  }

  /** The same where everything is in shadow, and nobody is denied. */
  private static Limiter.Outcome outcomeInShadow(Line line) {
    return switch (outcome(line)) {
      case DENIED, BLOCKED -> Limiter.Outcome.SHADOW_DENIED;
      case UNANSWERED -> Limiter.Outcome.UNCOUNTED;
      default -> outcome(line);
    };
  }
}
