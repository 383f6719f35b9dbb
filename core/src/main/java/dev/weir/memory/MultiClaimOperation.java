package dev.weir.memory;

import dev.weir.Algorithm;
import dev.weir.Claim;
import dev.weir.Decision;
import dev.weir.Limit;
import dev.weir.LimitKey;
import dev.weir.Operation;
import dev.weir.memory.Segment.Added;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One operation on a list of claims: finds their rows, adds missing ones if necessary, and retries
 * whenever a row has disappeared in between. For use by one thread.
 */
final class MultiClaimOperation {
  private final Table table;
  private final Overflow overflow;
  private final Operation operation;
  private final List<Claim> claims;
  private final long nowMicros;

  /** The row of each claim; claims on one counter share a row. */
  private final Row[] rows;

  MultiClaimOperation(
      Table table, Overflow overflow, Operation operation, List<Claim> claims, long nowMicros) {
    this.table = table;
    this.overflow = overflow;
    this.operation = operation;
    this.claims = claims;
    this.nowMicros = nowMicros;
    this.rows = new Row[claims.size()];
  }

  Decision run() {
    for (int attempt = 0; ; attempt++) {
      Decision decision = tryRun();
      if (decision != null) {
        return decision;
      }
      Spin.pause(attempt);
    }
  }

  /** How many claims of the completed operation found no room. */
  int overflowed() {
    int overflowed = 0;
    if (adds()) {
      for (Row row : rows) {
        overflowed += row.isShared() ? 1 : 0;
      }
    }
    return overflowed;
  }

  private boolean adds() {
    return operation == Operation.TAKE || operation == Operation.CHARGE;
  }

  private @Nullable Decision tryRun() {
    boolean absent = false;
    for (int i = 0; i < rows.length; i++) {
      Claim claim = claims.get(i);
      Row row = earlier(claim.key(), i);
      if (row == null) {
        row = table.find(claim.key(), claim.limit());
        absent |= row == null;
      }
      rows[i] = row == null ? standIn(claim, i) : row;
    }
    if (!absent || !adds()) {
      return Transaction.run(operation, claims, rows, table, nowMicros);
    }
    if (operation == Operation.TAKE) {
      // A denied request must not leave new keys behind.
      Decision decision = Transaction.run(Operation.PEEK, claims, rows, table, nowMicros);
      if (decision == null || !decision.allowed()) {
        return decision;
      }
    }
    return addAndRun();
  }

  /**
   * Adds missing rows and retries until all rows exist at once: adding one may drop another that
   * had expired, but never one that was added for this request and is not used yet.
   */
  private Decision addAndRun() {
    for (int attempt = 0; ; attempt++) {
      for (int i = 0; i < rows.length; i++) {
        Row row = earlier(claims.get(i).key(), i);
        rows[i] = row == null ? findOrAdd(claims.get(i), i) : row;
      }
      Decision decision = Transaction.run(operation, claims, rows, table, nowMicros);
      if (decision != null) {
        return decision;
      }
      Spin.pause(attempt);
    }
  }

  private Row findOrAdd(Claim claim, int index) {
    Row row = table.find(claim.key(), claim.limit());
    if (row == null) {
      row = Row.unplaced(claim.key(), claim.limit());
      if (table.add(row, true, nowMicros) == Added.FULL) {
        row = shared(claim.limit(), index);
      }
    }
    return row;
  }

  /**
   * A row for a key that is not in the table: that of the overflow if the key would be, or may have
   * been, charged to the overflow.
   */
  private Row standIn(Claim claim, int index) {
    boolean overflows =
        switch (operation) {
          case PEEK -> !table.hasRoom(claim.key(), claim.limit(), nowMicros);
          // The overflow can identify a holder, but not whether this key took other permits.
          case REFUND -> claim.limit().algorithm() == Algorithm.CONCURRENCY;
          // Whether these find room is known only when they add a row.
          case TAKE, CHARGE, RESET -> false;
        };
    return overflows ? shared(claim.limit(), index) : Row.unplaced(claim.key(), claim.limit());
  }

  /** The row of an earlier claim on the same key. */
  private @Nullable Row earlier(LimitKey key, int index) {
    for (int i = 0; i < index; i++) {
      if (claims.get(i).key().equals(key)) {
        return rows[i];
      }
    }
    return null;
  }

  /** The row of the overflow; keys that share a counter share one row object. */
  private Row shared(Limit limit, int index) {
    Rows counter = overflow.counter(limit);
    for (int i = 0; i < index; i++) {
      if (rows[i].isIn(counter)) {
        return rows[i];
      }
    }
    return Row.shared(counter, limit);
  }
}
