package dev.weir.server.rls;

import dev.weir.Claim;
import dev.weir.Limit;
import dev.weir.LimitKey;
import dev.weir.server.rls.AllOrNone.OptionalGroup;
import dev.weir.server.rls.StoreCall.Kind;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Everything that a request is to be charged, and by which store calls.
 *
 * <p>Tallies are charged independently of each other, whatever becomes of the request; a peek at a
 * tally is one that costs nothing. All other limits are charged {@linkplain AllOrNone all or none},
 * once it is known whether the tallies deny the request, and what the peeks found. Refunds are
 * neither.
 */
final class ChargePlan {
  /**
   * Up to so many tallies are sent one by one, which is faster: a store coalesces identical
   * requests.
   */
  private static final int MAX_SEPARATE_TALLIES = 8;

  final List<DescriptorCheck> descriptors;
  private final ExhaustedWindowCache exhausted;
  private final boolean quota;
  private final long nowMicros;
  private final List<LimitCheck> required = new ArrayList<>(2);
  private final List<OptionalGroup> optional = new ArrayList<>(0);
  private final List<LimitCheck> tallies = new ArrayList<>(2);
  private final List<LimitCheck> peeks = new ArrayList<>(0);
  private final List<LimitCheck> refunds = new ArrayList<>(0);

  /** Whether any of the tallies is more than a peek. */
  private boolean charged;

  /**
   * @param quota whether every descriptor is a quota
   */
  ChargePlan(
      List<DescriptorCheck> descriptors,
      ExhaustedWindowCache exhausted,
      boolean quota,
      long nowMicros) {
    this.descriptors = descriptors;
    this.exhausted = exhausted;
    this.quota = quota;
    this.nowMicros = nowMicros;
  }

  /** Adds the checks of a descriptor. */
  void add(DescriptorCheck descriptor) {
    List<LimitCheck> quotas = new ArrayList<>(0);
    List<LimitCheck> shadows = new ArrayList<>(0);
    boolean peek = descriptor.query.isPeek();
    for (LimitCheck check : descriptor.checks) {
      if (descriptor.query.refund()) {
        refund(check);
        continue;
      }
      if (peek && !check.isBlocked() && !check.tallied) {
        check.peekOnly();
        peeks.add(check);
      }
      switch (check.terms.role()) {
        case REQUIRED -> required.add(check);
        case QUOTA -> quotas.add(check);
        case SHADOW -> shadows.add(check);
        case INDEPENDENT -> tally(check, peek);
      }
    }
    if (!quotas.isEmpty()) {
      optional.add(new OptionalGroup(descriptor, quotas, true));
    }
    if (!shadows.isEmpty()) {
      optional.add(new OptionalGroup(descriptor, shadows, false));
    }
  }

  private void refund(LimitCheck check) {
    if (!check.isBlocked()) {
      refunds.add(check);
    }
  }

  private void tally(LimitCheck check, boolean peek) {
    if (check.isBlocked()) {
      return;
    }
    // Peeks stay among the tallies, so that each sees what those before it have charged, no more.
    long until = peek ? 0 : exhausted.exhaustedUntil(check, nowMicros);
    if (until > 0) {
      check.markOverLimit(until - nowMicros);
    } else {
      tallies.add(check);
      charged |= !peek;
    }
  }

  /**
   * Checks that a store can take everything that is charged all or none in one call.
   *
   * @throws RlsRequest.Refused if it cannot
   */
  void checkSize() {
    int size = new AllOrNone(required, optional, false, false).checks().size();
    RlsRequest.check("limits that apply at once", size, Claim.MAX_CLAIMS);
  }

  /** Whether anything is charged all or none. */
  boolean isStrict() {
    return !required.isEmpty() || !optional.isEmpty();
  }

  /** The limits that are charged all or none; call it once the tallies are answered. */
  AllOrNone allOrNone() {
    boolean denied = false;
    boolean quotas = false;
    boolean room = false;
    for (DescriptorCheck descriptor : descriptors) {
      boolean over = descriptor.isOverByTallies();
      if (!(quota || descriptor.isQuota())) {
        denied |= over;
      } else if (!descriptor.isUnlimited()) {
        quotas = true;
        room |= !over && !hasOptionalQuota(descriptor);
      }
    }
    return new AllOrNone(required, optional, quotas && !room, denied);
  }

  private boolean hasOptionalQuota(DescriptorCheck descriptor) {
    return optional.stream().anyMatch(group -> group.quota() && group.descriptor() == descriptor);
  }

  /** The peeks that must be answered before anything is charged all or none. */
  List<StoreCall> peeks() {
    return split(Kind.PEEK, peeks);
  }

  /** The tallies, which are charged whatever becomes of the rest. */
  List<StoreCall> tallies() {
    Kind kind = charged ? Kind.TAKE : Kind.PEEK;
    if (tallies.size() > MAX_SEPARATE_TALLIES) {
      return split(kind, tallies);
    }
    List<StoreCall> calls = new ArrayList<>(tallies.size());
    tallies.forEach(check -> calls.add(new StoreCall(kind, List.of(check))));
    return calls;
  }

  List<StoreCall> refunds() {
    return split(Kind.REFUND, refunds);
  }

  /**
   * The fewest calls that a store accepts: a call holds a bounded number of checks, and one limit
   * for each counter.
   */
  private static List<StoreCall> split(Kind kind, List<LimitCheck> checks) {
    List<StoreCall> calls = new ArrayList<>(1);
    Map<LimitKey, Limit> limits = new HashMap<>(4);
    int from = 0;
    for (int i = 0; i < checks.size(); i++) {
      Claim claim = checks.get(i).claim();
      Limit before = limits.putIfAbsent(claim.key(), claim.limit());
      boolean fits = before == null || before.countsLike(claim.limit());
      if (!fits || i - from == Claim.MAX_CLAIMS) {
        calls.add(new StoreCall(kind, checks.subList(from, i)));
        limits.clear();
        limits.put(claim.key(), claim.limit());
        from = i;
      }
    }
    if (from < checks.size()) {
      calls.add(new StoreCall(kind, checks.subList(from, checks.size())));
    }
    return calls;
  }
}
