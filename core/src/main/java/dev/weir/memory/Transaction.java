package dev.weir.memory;

import dev.weir.Algorithm;
import dev.weir.Claim;
import dev.weir.Decision;
import dev.weir.Limit;
import dev.weir.algorithm.Counter;
import dev.weir.algorithm.Step;
import dev.weir.operation.Operation;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Several claims as one: their rows are locked together, so nobody sees half of it.
 *
 * <p>Claims are applied one after the other to copies of the locked rows. Only if all pass are the
 * copies written back.
 */
final class Transaction {
  private final Operation operation;
  private final List<Claim> claims;
  private final long nowMicros;

  /** The row of each claim; claims on one counter share a row. */
  private final Row[] rows;

  /** The same rows once each, in locking order. */
  private final Row[] held;

  private int count;

  private Transaction(Operation operation, List<Claim> claims, Row[] rows, long nowMicros) {
    this.operation = operation;
    this.claims = claims;
    this.rows = rows;
    this.nowMicros = nowMicros;
    this.held = rows.clone();
  }

  /**
   * Runs the operation on the rows of the claims.
   *
   * @param rows for each claim one; the same one for claims on the same counter
   * @return null if one of the rows had gone, and nothing was done
   */
  static @Nullable Decision run(
      Operation operation, List<Claim> claims, Row[] rows, Table table, long nowMicros) {
    return new Transaction(operation, claims, rows, nowMicros).run(table);
  }

  private @Nullable Decision run(Table table) {
    if (!lock()) {
      return null;
    }
    int unlocked = 0;
    try {
      Decision decision = apply();
      if (decision.allowed() && operation != Operation.LOOK) {
        Object[] kept = new Object[count];
        for (int i = 0; i < count; i++) {
          kept[i] = held[i].toKeep();
        }
        for (; unlocked < count; unlocked++) {
          table.reweigh(held[unlocked]);
          held[unlocked].write(kept[unlocked]);
        }
      }
      return decision;
    } finally {
      // Whatever goes wrong, no key stays locked and none is charged for half a request.
      for (; unlocked < count; unlocked++) {
        held[unlocked].unlock();
      }
    }
  }

  /** Locks each row once, or none if one has gone. */
  private boolean lock() {
    Arrays.sort(held, Row::compare);
    for (Row row : held) {
      if (count > 0 && held[count - 1] == row) {
        continue;
      }
      if (!row.lock()) {
        while (count > 0) {
          held[--count].giveUp();
        }
        return false;
      }
      held[count++] = row;
    }
    return true;
  }

  private Decision apply() {
    List<Decision> each = new ArrayList<>(rows.length);
    boolean allowed = true;
    for (int i = 0; i < rows.length; i++) {
      Decision decision = step(i);
      each.add(decision);
      allowed &= decision.allowed();
    }
    if (!allowed || operation == Operation.LOOK) {
      for (int i = 0; i < rows.length; i++) {
        // Nothing is spent, so what each has left is what it had.
        rows[i].load();
        each.set(i, each.get(i).unspent(standing(rows[i], claims.get(i))));
      }
    }
    return Decision.of(List.copyOf(each));
  }

  private Decision step(int index) {
    Row row = rows[index];
    Claim claim = seenBy(row, claims.get(index));
    if (operation == Operation.FORGET) {
      row.set(0, 0, Step.NO_LOG);
    }
    long cost = claim.cost();
    boolean takes = operation == Operation.TAKE || operation == Operation.LOOK;
    if (takes && claim.limit().algorithm() != Algorithm.CONCURRENCY) {
      // Claims on one key are taken together from where the request began, so that a wait is long
      // enough for all of them. Holders have names, and take their places one by one.
      long before = costBefore(index);
      cost = Math.min(Claim.MAX_COST + 1, cost + before);
      if (before > 0) {
        row.load();
      }
    }
    adopt(row, claim.limit());
    Step step =
        switch (operation) {
          case TAKE, LOOK -> take(row, claim, cost);
          case REFUND -> Counter.refund(row.level, row.at, row.log, claim, nowMicros);
          case CHARGE -> Counter.charge(row.level, row.at, row.log, claim, nowMicros);
          case FORGET -> take(row, claim, 0);
        };
    row.set(step.level(), step.at(), step.log());
    return step.decision();
  }

  /** In a row that keys share, a holder's number must not be taken for another key's. */
  private static Claim seenBy(Row row, Claim claim) {
    if (row.inTable() || claim.limit().algorithm() != Algorithm.CONCURRENCY) {
      return claim;
    }
    long holder = Table.hash(claim.key().high(), claim.key().low()) + claim.permit();
    return new Claim(claim.limit(), claim.key(), claim.cost(), holder == 0 ? 1 : holder);
  }

  private Step take(Row row, Claim claim, long cost) {
    return Counter.take(row.level, row.at, row.log, claim.limit(), nowMicros, cost, claim.permit());
  }

  private long costBefore(int index) {
    long cost = 0;
    for (int i = 0; i < index; i++) {
      cost += rows[i] == rows[index] ? claims.get(i).cost() : 0;
    }
    return cost;
  }

  private Decision standing(Row row, Claim claim) {
    adopt(row, claim.limit());
    return Counter.look(row.level, row.at, row.log, claim.limit(), nowMicros);
  }

  /** Makes the row count by {@code limit}, if it was written under another one. */
  private void adopt(Row row, Limit limit) {
    if (!row.limit.countsLike(limit)) {
      Step step = Counter.carried(row.level, row.at, row.log, row.limit, limit, nowMicros);
      row.set(step.level(), step.at(), step.log());
      row.limit = limit;
    } else if (operation == Operation.TAKE || operation == Operation.CHARGE) {
      row.limit = limit; // whoever only gives back may not know whose limit it is
    }
  }
}
