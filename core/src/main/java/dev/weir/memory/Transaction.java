package dev.weir.memory;

import dev.weir.Algorithm;
import dev.weir.Claim;
import dev.weir.Decision;
import dev.weir.Limit;
import dev.weir.algorithm.Counter;
import dev.weir.algorithm.Step;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Several claims as one: their cells are locked together, so nobody sees half of it.
 *
 * <p>Claims are applied one after the other to the locked cells. If one is denied, the cells get
 * back what they held before anyone could look.
 */
final class Transaction {

  /** What to do with a claim. */
  enum Operation {
    TAKE,
    LOOK,
    REFUND,
    CHARGE,
    FORGET
  }

  private final Operation operation;
  private final List<Claim> claims;
  private final long nowMicros;

  /** The cell of each claim; claims on one key share a cell. */
  private final Cell[] cells;

  /** The same cells once each, in locking order, with what they held when locked. */
  private final Held[] held;

  @SuppressWarnings("ArrayRecordComponent") // nobody compares these
  private record Held(Cell cell, int version, Limit limit, long level, long at, long[] log) {
    static Held of(Cell cell, int version) {
      return new Held(cell, version, cell.limit, cell.level, cell.at, cell.log);
    }

    void restore() {
      cell.limit = limit;
      cell.set(level, at, log);
    }
  }

  private Transaction(Operation operation, List<Claim> claims, Cell[] cells, long nowMicros) {
    this.operation = operation;
    this.claims = claims;
    this.cells = cells;
    this.nowMicros = nowMicros;
    this.held = new Held[cells.length];
  }

  /**
   * Runs the operation on the cells of the claims.
   *
   * @return null if one of the cells had died, and nothing was done
   */
  static @Nullable Decision run(
      Operation operation, List<Claim> claims, Cell[] cells, CellTable table, long nowMicros) {
    return new Transaction(operation, claims, cells, nowMicros).run(table);
  }

  private @Nullable Decision run(CellTable table) {
    Cell[] order = cells.clone();
    Arrays.sort(order, Cell::compareKeys);
    int count = 0;
    for (Cell cell : order) {
      if (count > 0 && held[count - 1].cell == cell) {
        continue;
      }
      int version = cell.lock();
      if (version == Cell.DEAD) {
        unlock(count);
        return null;
      }
      held[count++] = Held.of(cell, version);
    }
    boolean done = false;
    try {
      Decision decision = apply(count);
      for (int i = 0; i < count; i++) {
        table.reweigh(held[i].cell, held[i].limit, held[i].cell.limit);
      }
      done = true;
      return decision;
    } finally {
      // Whatever goes wrong, no key stays locked and none is charged for half a request.
      if (!done) {
        restore(count);
      }
      unlock(count);
    }
  }

  private Decision apply(int count) {
    List<Decision> each = new ArrayList<>(cells.length);
    boolean allowed = true;
    for (int i = 0; i < cells.length; i++) {
      Decision decision = step(i);
      each.add(decision);
      allowed &= decision.allowed();
    }
    if (!allowed || operation == Operation.LOOK) {
      restore(count);
      for (int i = 0; i < cells.length; i++) {
        // Nothing is spent, so what each has left is what it had.
        each.set(i, each.get(i).unspent(standing(cells[i], claims.get(i))));
      }
      restore(count);
    }
    return Decision.of(List.copyOf(each));
  }

  private Decision step(int index) {
    Cell cell = cells[index];
    Claim claim = seenBy(cell, claims.get(index));
    if (operation == Operation.FORGET) {
      cell.set(0, 0, Step.NO_LOG);
    }
    long cost = claim.cost();
    boolean takes = operation == Operation.TAKE || operation == Operation.LOOK;
    if (takes && claim.limit().algorithm() != Algorithm.CONCURRENCY) {
      // Claims on one key are taken together from where the request began, so that a wait is long
      // enough for all of them. Holders have names, and take their places one by one.
      long before = costBefore(index);
      cost = Math.min(Claim.MAX_COST + 1, cost + before);
      if (before > 0) {
        restore(cell);
      }
    }
    adopt(cell, claim.limit());
    Step step =
        switch (operation) {
          case TAKE, LOOK -> take(cell, claim, cost);
          case REFUND -> Counter.refund(cell.level, cell.at, cell.log, claim, nowMicros);
          case CHARGE -> Counter.charge(cell.level, cell.at, cell.log, claim, nowMicros);
          case FORGET -> take(cell, claim, 0);
        };
    cell.set(step.level(), step.at(), step.log());
    return step.decision();
  }

  /** In a cell that keys share, a holder's number must not be taken for another key's. */
  private static Claim seenBy(Cell cell, Claim claim) {
    if (cell.inTable() || claim.limit().algorithm() != Algorithm.CONCURRENCY) {
      return claim;
    }
    long holder = CellTable.hash(claim.key().high(), claim.key().low()) + claim.permit();
    return new Claim(claim.limit(), claim.key(), claim.cost(), holder);
  }

  private Step take(Cell cell, Claim claim, long cost) {
    return Counter.take(
        cell.level, cell.at, cell.log, claim.limit(), nowMicros, cost, claim.permit());
  }

  private long costBefore(int index) {
    long cost = 0;
    for (int i = 0; i < index; i++) {
      cost += cells[i] == cells[index] ? claims.get(i).cost() : 0;
    }
    return cost;
  }

  private void restore(Cell cell) {
    for (Held one : held) {
      if (one.cell == cell) {
        one.restore();
        return;
      }
    }
  }

  private Decision standing(Cell cell, Claim claim) {
    adopt(cell, claim.limit());
    return Counter.look(cell.level, cell.at, cell.log, claim.limit(), nowMicros);
  }

  /** Makes the cell count by {@code limit}, if it was written under another one. */
  private void adopt(Cell cell, Limit limit) {
    if (!cell.limit.countsLike(limit)) {
      Step step = Counter.carried(cell.level, cell.at, cell.log, cell.limit, limit, nowMicros);
      cell.set(step.level(), step.at(), step.log());
    }
    cell.limit = limit;
  }

  private void restore(int count) {
    for (int i = 0; i < count; i++) {
      held[i].restore();
    }
  }

  private void unlock(int count) {
    for (int i = 0; i < count; i++) {
      held[i].cell.unlock(held[i].version);
    }
  }
}
