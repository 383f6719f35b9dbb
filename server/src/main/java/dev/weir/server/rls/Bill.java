package dev.weir.server.rls;

import dev.weir.Claim;
import dev.weir.Limit;
import dev.weir.LimitKey;
import dev.weir.server.rls.AllOrNone.Dispensable;
import dev.weir.server.rls.Call.Way;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * All that a request is to be charged, and how it is to be asked for.
 *
 * <p>Tallies are charged each by itself, whatever becomes of the others; a look at a tally is one
 * that costs nothing. All other limits are charged {@linkplain AllOrNone all or none}, once it is
 * known whether the tallies deny the request, and what looks see. Refunds are neither.
 */
final class Bill {
  /** So many tallies are quicker each by itself: a store asks once for many that are the same. */
  private static final int FEW = 8;

  final List<Slot> slots;
  private final OverLimits known;
  private final boolean quota;
  private final long nowMicros;
  private final List<Line> required = new ArrayList<>(2);
  private final List<Dispensable> dispensable = new ArrayList<>(0);
  private final List<Line> tallies = new ArrayList<>(2);
  private final List<Line> looks = new ArrayList<>(0);
  private final List<Line> refunds = new ArrayList<>(0);

  /** Whether any of the tallies is more than a look. */
  private boolean charged;

  /**
   * @param quota whether every descriptor is one
   */
  Bill(List<Slot> slots, OverLimits known, boolean quota, long nowMicros) {
    this.slots = slots;
    this.known = known;
    this.quota = quota;
    this.nowMicros = nowMicros;
  }

  /** Adds the lines of a slot. */
  void add(Slot slot) {
    List<Line> quotas = new ArrayList<>(0);
    List<Line> shadows = new ArrayList<>(0);
    boolean look = slot.question.isLook();
    for (Line line : slot.lines) {
      if (slot.question.refund()) {
        refund(line);
        continue;
      }
      if (look && !line.isBlocked() && !line.tallied) {
        line.lookOnly();
        looks.add(line);
      }
      switch (line.terms.role()) {
        case REQUIRED -> required.add(line);
        case QUOTA -> quotas.add(line);
        case SHADOW -> shadows.add(line);
        case EACH -> tally(line, look);
      }
    }
    if (!quotas.isEmpty()) {
      dispensable.add(new Dispensable(slot, quotas, true));
    }
    if (!shadows.isEmpty()) {
      dispensable.add(new Dispensable(slot, shadows, false));
    }
  }

  private void refund(Line line) {
    if (!line.isBlocked()) {
      refunds.add(line);
    }
  }

  private void tally(Line line, boolean look) {
    if (line.isBlocked()) {
      return;
    }
    // Looks among them, so that each sees what those before it have charged, and no more.
    long until = look ? 0 : known.overUntil(line, nowMicros);
    if (until > 0) {
      line.exceeded(until - nowMicros);
    } else {
      tallies.add(line);
      charged |= !look;
    }
  }

  /**
   * @throws RlsRequest.Refused if more would have to be taken at once than a store can
   */
  void checkSize() {
    int size = new AllOrNone(required, dispensable, false, false).lines().size();
    RlsRequest.check("limits that apply at once", size, Claim.MAX_CLAIMS);
  }

  /** Whether anything is charged all or none. */
  boolean isStrict() {
    return !required.isEmpty() || !dispensable.isEmpty();
  }

  /** What is charged together, once the tallies are settled. */
  AllOrNone allOrNone() {
    boolean denied = false;
    boolean quotas = false;
    boolean room = false;
    for (Slot slot : slots) {
      boolean over = slot.isOverByTallies();
      if (!(quota || slot.isQuota())) {
        denied |= over;
      } else if (!slot.isUnlimited()) {
        quotas = true;
        room |= !over && dispensable.stream().noneMatch(one -> one.quota() && one.slot() == slot);
      }
    }
    return new AllOrNone(required, dispensable, quotas && !room, denied);
  }

  /** What must be known before that is charged. */
  List<Call> looks() {
    return split(Way.LOOK, looks);
  }

  /** What is charged whatever becomes of the rest. */
  List<Call> tallies() {
    Way way = charged ? Way.TAKE : Way.LOOK;
    if (tallies.size() > FEW) {
      return split(way, tallies);
    }
    List<Call> calls = new ArrayList<>(tallies.size());
    tallies.forEach(line -> calls.add(new Call(way, List.of(line))));
    return calls;
  }

  List<Call> refunds() {
    return split(Way.REFUND, refunds);
  }

  /** As few calls as stores take: a call has so many lines at most, and one limit for a counter. */
  private static List<Call> split(Way way, List<Line> lines) {
    List<Call> calls = new ArrayList<>(1);
    Map<LimitKey, Limit> limits = new HashMap<>(4);
    int from = 0;
    for (int i = 0; i < lines.size(); i++) {
      Claim claim = lines.get(i).claim();
      Limit before = limits.putIfAbsent(claim.key(), claim.limit());
      boolean fits = before == null || before.countsLike(claim.limit());
      if (!fits || i - from == Claim.MAX_CLAIMS) {
        calls.add(new Call(way, lines.subList(from, i)));
        limits.clear();
        limits.put(claim.key(), claim.limit());
        from = i;
      }
    }
    if (from < lines.size()) {
      calls.add(new Call(way, lines.subList(from, lines.size())));
    }
    return calls;
  }
}
