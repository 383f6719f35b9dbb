package dev.weir.replay.run;

import dev.weir.Algorithm;
import dev.weir.Claim;
import dev.weir.Decision;
import dev.weir.Limit;
import dev.weir.Operation;
import dev.weir.Store;
import dev.weir.algorithm.Counter;
import dev.weir.algorithm.Step;
import java.util.List;

/**
 * Counts like every store of Weir, with the same algorithms, but for one thread: without locks, and
 * without an object for each counter.
 *
 * <p><b>Why not the in-process store.</b> That one serves many threads, and drops counters one by
 * one so that no request waits. A replay has neither need, and decides ten times as many requests.
 * A test compares each decision with those of the in-process store and of Redis.
 *
 * <p>All claims are granted, or none. No live counter is dropped. Where there are too many, claims
 * without a counter of their own share one for each limit, and are counted as {@link #crowdedOut}.
 */
final class ReplayStore implements Store {
  private final VirtualClock clock;
  private final CounterTable table;
  private long crowdedOut;

  // The request that is decided now.
  private long[] keys = new long[8];
  private int[] cells = new int[8];
  private Step[] steps = new Step[8];

  ReplayStore(VirtualClock clock, long maxKeys) {
    this.clock = clock;
    this.table = new CounterTable(maxKeys);
  }

  /** How many claims found no counter of their own. */
  long crowdedOut() {
    return crowdedOut;
  }

  @Override
  public Decision apply(Operation operation, List<Claim> claims) {
    return switch (operation) {
      case TAKE -> takeAll(claims);
      case REFUND -> refundAll(claims);
      case PEEK, CHARGE, RESET -> throw new UnsupportedOperationException(operation.name());
    };
  }

  private Decision takeAll(List<Claim> claims) {
    int count = claims.size();
    long nowMicros = clock.micros();
    prepare(claims, nowMicros);
    boolean allowed = true;
    for (int i = 0; i < count; i++) {
      Claim claim = claims.get(i);
      Step step = take(i, claim, claims, nowMicros);
      steps[i] = step;
      allowed &= step.decision().allowed();
    }
    Decision[] each = new Decision[count];
    for (int i = 0; i < count; i++) {
      Claim claim = claims.get(i);
      Decision decision = steps[i].decision();
      if (allowed) {
        table.write(cells[i], keys[i], steps[i], claim.limit());
        each[i] = decision;
        if (cells[i] < 0 && i + 1 < count) {
          find(i + 1, count); // the new counter may be where another one would have been
        }
      } else {
        // Nothing is spent, so each decision reports what remained before.
        Step before = state(i, claim.limit(), nowMicros);
        Decision current =
            Counter.peek(before.level(), before.at(), before.log(), claim.limit(), nowMicros);
        each[i] = decision.withRemainingOf(current);
      }
    }
    return Decision.of(List.of(each));
  }

  /** Finds the counters of all claims, which stay where they are until one is added. */
  private void prepare(List<Claim> claims, long nowMicros) {
    int count = claims.size();
    if (count > keys.length) {
      keys = new long[count];
      cells = new int[count];
      steps = new Step[count];
    }
    table.makeRoom(count, nowMicros);
    for (int i = 0; i < count; i++) {
      Claim claim = claims.get(i);
      keys[i] = CounterTable.key(claim.keyHigh(), claim.keyLow());
      if (table.isFull() && table.find(keys[i]) < 0) {
        keys[i] = CounterTable.key(claim.limit().group(), claim.limit().shape());
        crowdedOut++;
      }
    }
    find(0, count);
  }

  private void find(int from, int count) {
    for (int i = from; i < count; i++) {
      cells[i] = table.find(keys[i]);
    }
  }

  private Step take(int index, Claim claim, List<Claim> claims, long nowMicros) {
    Limit limit = claim.limit();
    long cost = claim.cost();
    Step state = null;
    for (int j = 0; j < index; j++) {
      if (keys[j] == keys[index]) {
        // Like in other stores: of one counter, rates are taken together, permits one by one.
        if (limit.algorithm() == Algorithm.CONCURRENCY) {
          state = steps[j];
        } else {
          cost = Math.min(Claim.MAX_COST + 1, cost + claims.get(j).cost());
        }
      }
    }
    int cell = cells[index];
    if (state == null && cell < 0) {
      return Counter.take(0, 0, Step.NO_LOG, limit, nowMicros, cost, claim.holder());
    }
    if (state == null && table.isUnder(cell, limit)) {
      return Counter.take(
          table.level(cell),
          table.at(cell),
          table.log(cell),
          limit,
          nowMicros,
          cost,
          claim.holder());
    }
    Step from = state == null ? state(index, limit, nowMicros) : state;
    return Counter.take(
        from.level(), from.at(), from.log(), limit, nowMicros, cost, claim.holder());
  }

  /** The state of a counter before the request, under a limit. */
  private Step state(int index, Limit limit, long nowMicros) {
    int cell = cells[index];
    return cell < 0
        ? new Step(0, 0, Step.NO_LOG, Decision.blocked())
        : table.stateUnder(cell, limit, nowMicros);
  }

  private Decision refundAll(List<Claim> claims) {
    long nowMicros = clock.micros();
    prepare(claims, nowMicros);
    Decision[] each = new Decision[claims.size()];
    for (int i = 0; i < each.length; i++) {
      Claim claim = claims.get(i);
      Step before = state(i, claim.limit(), nowMicros);
      Step after = Counter.refund(before.level(), before.at(), before.log(), claim, nowMicros);
      each[i] = after.decision();
      if (cells[i] >= 0) {
        table.write(cells[i], keys[i], after, claim.limit());
      }
    }
    return Decision.of(List.of(each));
  }
}
