package dev.weir.memory;

import dev.weir.Algorithm;
import dev.weir.Claim;
import dev.weir.Decision;
import dev.weir.Limit;
import dev.weir.Operation;
import dev.weir.algorithm.Counter;
import dev.weir.algorithm.Step;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One atomic operation on several claims, whose rows are locked together.
 *
 * <p>Claims are applied one after the other to copies of the locked rows. The copies are written
 * back only if all claims are granted.
 */
final class Transaction {
  private final Operation operation;
  private final List<Claim> claims;
  private final long nowMicros;

  /** The row of each claim; claims on one counter share a row. */
  private final Row[] rows;

  /** The distinct rows in locking order, of which the first {@code count} are locked. */
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
   * @param rows one for each claim; the same object for claims on the same counter
   * @return null if one of the rows has disappeared and nothing was done
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
      if (decision.allowed() && operation != Operation.PEEK) {
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
      // Whatever is thrown, no key stays locked and none is charged for half a request.
      for (; unlocked < count; unlocked++) {
        held[unlocked].unlock();
      }
    }
  }

  /** Locks each row once, or none if one has disappeared. */
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
    if (!allowed || operation == Operation.PEEK) {
      for (int i = 0; i < rows.length; i++) {
        // Nothing is spent, so each decision reports what remained before.
        rows[i].load();
        each.set(i, each.get(i).withRemainingOf(current(rows[i], claims.get(i))));
      }
    }
    return Decision.of(List.copyOf(each));
  }

  private Decision step(int index) {
    Row row = rows[index];
    Claim claim = forRow(row, claims.get(index));
    if (operation == Operation.RESET) {
      row.set(0, 0, Step.NO_LOG);
    }
    long cost = claim.cost();
    boolean takes = operation == Operation.TAKE || operation == Operation.PEEK;
    if (takes && claim.limit().algorithm() != Algorithm.CONCURRENCY) {
      // Claims on one key are taken together from the state before the request, so that a wait is
      // long enough for all of them. Concurrency permits have holders and are taken one by one.
      long before = costBefore(index);
      cost = Math.min(Claim.MAX_COST + 1, cost + before);
      if (before > 0) {
        row.load();
      }
    }
    adopt(row, claim.limit());
    Step step =
        switch (operation) {
          case TAKE, PEEK -> take(row, claim, cost);
          case REFUND -> Counter.refund(row.level, row.at, row.log, claim, nowMicros);
          case CHARGE -> Counter.charge(row.level, row.at, row.log, claim, nowMicros);
          case RESET -> take(row, claim, 0);
        };
    row.set(step.level(), step.at(), step.log());
    return step.decision();
  }

  /** In a shared row, makes holders of different keys distinct. */
  private static Claim forRow(Row row, Claim claim) {
    if (row.inTable() || claim.limit().algorithm() != Algorithm.CONCURRENCY) {
      return claim;
    }
    long holder = Table.hash(claim.key().high(), claim.key().low()) + claim.holder();
    return new Claim(claim.limit(), claim.key(), claim.cost(), holder == 0 ? 1 : holder);
  }

  private Step take(Row row, Claim claim, long cost) {
    return Counter.take(row.level, row.at, row.log, claim.limit(), nowMicros, cost, claim.holder());
  }

  private long costBefore(int index) {
    long cost = 0;
    for (int i = 0; i < index; i++) {
      cost += rows[i] == rows[index] ? claims.get(i).cost() : 0;
    }
    return cost;
  }

  private Decision current(Row row, Claim claim) {
    adopt(row, claim.limit());
    return Counter.peek(row.level, row.at, row.log, claim.limit(), nowMicros);
  }

  /** Converts the row to {@code limit} if it was written under another one. */
  private void adopt(Row row, Limit limit) {
    if (!row.limit.countsLike(limit)) {
      Step step = Counter.migrate(row.level, row.at, row.log, row.limit, limit, nowMicros);
      row.set(step.level(), step.at(), step.log());
      row.limit = limit;
    } else if (operation == Operation.TAKE || operation == Operation.CHARGE) {
      row.limit = limit; // other operations may not know the rule of the limit
    }
  }
}
