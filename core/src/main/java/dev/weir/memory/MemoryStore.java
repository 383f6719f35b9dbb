package dev.weir.memory;

import dev.weir.Algorithm;
import dev.weir.Claim;
import dev.weir.Decision;
import dev.weir.Limit;
import dev.weir.LimitKey;
import dev.weir.Store;
import dev.weir.Ticker;
import dev.weir.algorithm.Bucket;
import dev.weir.algorithm.Counter;
import dev.weir.algorithm.FixedWindow;
import dev.weir.algorithm.SlidingCounter;
import dev.weir.algorithm.Step;
import dev.weir.memory.Transaction.Operation;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * Counters in this process: exact under any number of threads, and bounded.
 *
 * <p>A key costs memory from its first grant until its counter is as if never used. No more than
 * {@code maxKeys} live at a time. A live counter is never evicted: what finds no room is charged to
 * a counter shared by all such keys of the same limit, so that a flood of keys neither exhausts
 * memory, nor passes unlimited, nor frees an abuser from its limit.
 *
 * <p>It answers with decisions, not futures; its methods never block on anything but each other.
 */
public final class MemoryStore implements Store {
  /** The bound a store has if none is given. */
  public static final long DEFAULT_MAX_KEYS = 1_000_000;

  private static final long MOST_MAX_KEYS = 1L << 30;

  private final Ticker ticker;
  private final CellTable table;
  private final Overflow overflow = new Overflow();
  private final LongAdder overflowed = new LongAdder();

  /** A store of at most {@link #DEFAULT_MAX_KEYS} keys on the time of this machine. */
  public MemoryStore() {
    this(DEFAULT_MAX_KEYS, Ticker.system());
  }

  /**
   * @param maxKeys how many keys may live at a time; one with a log counts for the memory of that
   *     log
   */
  public MemoryStore(long maxKeys, Ticker ticker) {
    if (maxKeys < 1 || maxKeys > MOST_MAX_KEYS) {
      String expected = " (expected: between 1 and " + MOST_MAX_KEYS + ")";
      throw new IllegalArgumentException("maxKeys: " + maxKeys + expected);
    }
    this.table = new CellTable(maxKeys);
    this.ticker = Objects.requireNonNull(ticker, "ticker");
  }

  @Override
  public Decision take(Claim claim) {
    return take(claim.limit(), claim.key(), claim.cost(), claim.permit());
  }

  /** Takes what the limit says one request costs: {@link #take(Claim)} without a claim to make. */
  public Decision take(Limit limit, LimitKey key) {
    if (limit.algorithm() == Algorithm.CONCURRENCY) {
      return take(Claim.of(limit, key));
    }
    return take(limit, key, limit.cost(), 0);
  }

  @Override
  public Decision take(List<Claim> claims) {
    List<Claim> request = Claim.request(claims);
    return request.size() == 1 ? take(request.get(0)) : transact(Operation.TAKE, request);
  }

  @Override
  public Decision look(List<Claim> claims) {
    return transact(Operation.LOOK, Claim.request(claims));
  }

  @Override
  public Decision refund(List<Claim> claims) {
    return transact(Operation.REFUND, Claim.request(claims));
  }

  @Override
  public Decision charge(List<Claim> claims) {
    return transact(Operation.CHARGE, Claim.request(claims));
  }

  @Override
  public Decision forget(List<Claim> claims) {
    List<Claim> request = Claim.request(claims);
    transact(Operation.FORGET, request);
    long nowMicros = ticker.micros();
    for (Claim claim : request) {
      table.drop(claim.key().high(), claim.key().low(), nowMicros);
    }
    return look(request);
  }

  /** Keys in memory, among them those that have expired and not yet been dropped. */
  public long size() {
    return table.size();
  }

  /** How many claims found no room and were answered by a shared counter. */
  public long overflowed() {
    return overflowed.sum();
  }

  /**
   * Drops every expired key now, one part of the table at a time. New keys do this as they come;
   * call it where none may come for long and the memory is wanted.
   */
  public void trim() {
    table.trim(ticker.micros());
  }

  /** The way of a single claim, which most are: no lock unless it is granted, and no list. */
  private Decision take(Limit limit, LimitKey key, long cost, long permit) {
    long nowMicros = ticker.micros();
    for (int attempt = 0; ; attempt++) {
      Cell cell = table.find(key.high(), key.low());
      Decision decision =
          cell == null
              ? takeFirst(limit, key, cost, permit, nowMicros)
              : takeFrom(cell, limit, key, cost, permit, nowMicros);
      if (decision != null) {
        return decision;
      }
      Cell.pause(attempt);
    }
  }

  /** Takes from a key not seen before; null if somebody else has just made its cell. */
  private @Nullable Decision takeFirst(
      Limit limit, LimitKey key, long cost, long permit, long nowMicros) {
    Step step = Counter.take(0, 0, Step.NO_LOG, limit, nowMicros, cost, permit);
    if (!step.decision().allowed() || cost == 0) {
      return step.decision();
    }
    Cell fresh = new Cell(key, limit);
    fresh.set(step.level(), step.at(), step.log());
    Cell present = table.add(fresh, nowMicros);
    if (present == fresh) {
      return step.decision();
    }
    if (present != null) {
      return null;
    }
    Decision decision = takeFrom(overflow.cell(limit), limit, key, cost, permit, nowMicros);
    if (decision != null) {
      overflowed.increment();
    }
    return decision;
  }

  /** Takes from a cell; null if somebody else was at it. */
  @SuppressWarnings("ReferenceEquality") // the same limit is nearly always the same object
  private @Nullable Decision takeFrom(
      Cell cell, Limit limit, LimitKey key, long cost, long permit, long nowMicros) {
    int version = cell.version();
    if (!Cell.isFree(version)) {
      return null;
    }
    if (cell.limit != limit && !cell.limit.countsLike(limit)) {
      return takeLocked(cell, limit, key, cost, permit, nowMicros);
    }
    long level = cell.level;
    long at = cell.at;
    // Each way ends in its own finish, so that none of the steps has to exist as an object. A
    // comparison costs less than a switch, and most limits are token buckets.
    Algorithm algorithm = limit.algorithm();
    if (algorithm == Algorithm.TOKEN_BUCKET || algorithm == Algorithm.LEAKY_BUCKET) {
      return finish(cell, version, Bucket.take(level, at, limit, nowMicros, cost));
    } else if (algorithm == Algorithm.FIXED_WINDOW) {
      return finish(cell, version, FixedWindow.take(level, at, limit, nowMicros, cost));
    } else if (algorithm == Algorithm.SLIDING_COUNTER) {
      return finish(cell, version, SlidingCounter.take(level, at, limit, nowMicros, cost));
    } else {
      return takeLocked(cell, limit, key, cost, permit, nowMicros);
    }
  }

  private static @Nullable Decision finish(Cell cell, int version, Step step) {
    if (!step.decision().allowed()) {
      return cell.unchanged(version) ? step.decision() : null;
    }
    if (!cell.tryLock(version)) {
      return null;
    }
    cell.level = step.level();
    cell.at = step.at();
    cell.unlock(version);
    return step.decision();
  }

  private @Nullable Decision takeLocked(
      Cell cell, Limit limit, LimitKey key, long cost, long permit, long nowMicros) {
    List<Claim> claims = List.of(new Claim(limit, key, cost, permit));
    return Transaction.run(Operation.TAKE, claims, new Cell[] {cell}, table, nowMicros);
  }

  private Decision transact(Operation operation, List<Claim> claims) {
    long nowMicros = ticker.micros();
    for (int attempt = 0; ; attempt++) {
      Decision decision = transact(operation, claims, nowMicros);
      if (decision != null) {
        return decision;
      }
      Cell.pause(attempt);
    }
  }

  private @Nullable Decision transact(Operation operation, List<Claim> claims, long nowMicros) {
    Cell[] cells = new Cell[claims.size()];
    boolean absent = false;
    for (int i = 0; i < cells.length; i++) {
      LimitKey key = claims.get(i).key();
      Cell cell = table.find(key.high(), key.low());
      absent |= cell == null;
      cells[i] = cell == null ? standIn(operation, claims, cells, i, nowMicros) : cell;
    }
    boolean adds = operation == Operation.TAKE || operation == Operation.CHARGE;
    if (!absent || !adds) {
      return Transaction.run(operation, claims, cells, table, nowMicros);
    }
    if (operation == Operation.TAKE) {
      // A request that is denied must not leave new keys behind.
      Decision decision = Transaction.run(Operation.LOOK, claims, cells, table, nowMicros);
      if (decision == null || !decision.allowed()) {
        return decision;
      }
    }
    return addAndTransact(operation, claims, nowMicros);
  }

  /**
   * Adds what is absent and goes on until all cells live at once: adding one may drop another that
   * had expired, but never one that was added for this request and not used yet.
   */
  private Decision addAndTransact(Operation operation, List<Claim> claims, long nowMicros) {
    Cell[] cells = new Cell[claims.size()];
    for (int attempt = 0; ; attempt++) {
      for (int i = 0; i < cells.length; i++) {
        cells[i] = findOrAdd(claims.get(i), nowMicros);
      }
      Decision decision = Transaction.run(operation, claims, cells, table, nowMicros);
      if (decision != null) {
        for (Cell cell : cells) {
          overflowed.add(cell.inTable() ? 0 : 1);
        }
        return decision;
      }
      Cell.pause(attempt);
    }
  }

  /**
   * A cell outside the table for a key that is not in it; claims on one key get the same. Where the
   * key would be, or may have been, charged to the overflow, it is the overflow's.
   */
  private Cell standIn(
      Operation operation, List<Claim> claims, Cell[] cells, int index, long nowMicros) {
    Claim claim = claims.get(index);
    boolean overflows =
        switch (operation) {
          case LOOK -> !table.hasRoom(claim.key(), claim.limit(), nowMicros);
          // A holder is known by name; permits given back by a stranger are not.
          case REFUND -> claim.limit().algorithm() == Algorithm.CONCURRENCY;
          // Whether these find room is only known when they try.
          case TAKE, CHARGE, FORGET -> false;
        };
    if (overflows) {
      return overflow.cell(claim.limit());
    }
    for (int i = 0; i < index; i++) {
      if (cells[i].is(claim.key().high(), claim.key().low())) {
        return cells[i];
      }
    }
    return new Cell.Detached(claim.key(), claim.limit());
  }

  private Cell findOrAdd(Claim claim, long nowMicros) {
    Cell cell = table.find(claim.key().high(), claim.key().low());
    if (cell == null) {
      cell = table.add(Cell.unborn(claim.key(), claim.limit()), nowMicros);
    }
    return cell == null ? overflow.cell(claim.limit()) : cell;
  }
}
