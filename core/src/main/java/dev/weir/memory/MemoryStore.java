package dev.weir.memory;

import dev.weir.Algorithm;
import dev.weir.Claim;
import dev.weir.Decision;
import dev.weir.Limit;
import dev.weir.LimitKey;
import dev.weir.Operation;
import dev.weir.Store;
import dev.weir.algorithm.Bucket;
import dev.weir.algorithm.Counter;
import dev.weir.algorithm.FixedWindow;
import dev.weir.algorithm.SlidingCounter;
import dev.weir.algorithm.Step;
import dev.weir.internal.Rejections;
import dev.weir.time.Ticker;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * An in-process store: exact under any number of threads, and bounded in memory.
 *
 * <p>A key occupies memory from its first grant until its counter is as if never used. No more than
 * {@code maxKeys} live at a time. A claim whose key finds no room is charged to a counter shared by
 * all such keys of the same limit, so that a flood of keys neither exhausts memory, nor passes
 * unlimited, nor frees an abuser from its limit. A live counter is evicted only if its {@linkplain
 * Limit#group() rule} has more than its share of the room, for a counter of a rule that has less: a
 * flood under one rule costs no other rule its room.
 *
 * <p>The store answers with decisions, not futures; its methods never block on anything but each
 * other.
 */
public final class MemoryStore implements Store {
  /** The default maximum number of keys. */
  public static final long DEFAULT_MAX_KEYS = 1_000_000;

  private static final long MAX_MAX_KEYS = 1L << 30;

  /** Signals that a take must lock the row; compared by identity. */
  private static final Decision NEEDS_LOCK = Decision.blocked();

  private final Ticker ticker;
  private final Table table;
  private final Overflow overflow = new Overflow();
  private final LongAdder overflowed = new LongAdder();

  /** A store of at most {@link #DEFAULT_MAX_KEYS} keys on the clock of this machine. */
  public MemoryStore() {
    this(DEFAULT_MAX_KEYS, Ticker.system());
  }

  /**
   * A bounded store.
   *
   * @param maxKeys how many keys may live at a time; a key with a log counts for the memory of that
   *     log
   * @throws IllegalArgumentException if {@code maxKeys} is less than 1 or more than 2^30
   */
  public MemoryStore(long maxKeys, Ticker ticker) {
    this.table = new Table(Rejections.between("maxKeys", maxKeys, 1, MAX_MAX_KEYS));
    this.ticker = Objects.requireNonNull(ticker, "ticker");
  }

  @Override
  public Decision take(Claim claim) {
    return take(claim.limit(), claim.keyHigh(), claim.keyLow(), claim.cost(), claim.holder());
  }

  /**
   * Takes the limit's default cost: {@link #take(Claim)} of {@link Claim#of(Limit, LimitKey)}, but
   * without allocating a claim.
   */
  public Decision take(Limit limit, LimitKey key) {
    if (limit.algorithm() == Algorithm.CONCURRENCY) {
      return take(Claim.of(limit, key));
    }
    return take(limit, key.high(), key.low() + limit.shape(), limit.cost(), 0);
  }

  @Override
  public Decision apply(Operation operation, List<Claim> claims) {
    return switch (operation) {
      case TAKE -> take(claims);
      case RESET -> reset(claims);
      case PEEK, REFUND, CHARGE -> run(operation, Claim.request(claims));
    };
  }

  @Override
  public Decision take(List<Claim> claims) {
    List<Claim> request = Claim.request(claims);
    return request.size() == 1 ? take(request.get(0)) : run(Operation.TAKE, request);
  }

  @Override
  public Decision peek(List<Claim> claims) {
    return run(Operation.PEEK, Claim.request(claims));
  }

  @Override
  public Decision refund(List<Claim> claims) {
    return run(Operation.REFUND, Claim.request(claims));
  }

  @Override
  public Decision charge(List<Claim> claims) {
    return run(Operation.CHARGE, Claim.request(claims));
  }

  @Override
  public Decision reset(List<Claim> claims) {
    List<Claim> request = Claim.request(claims);
    run(Operation.RESET, request);
    long nowMicros = ticker.micros();
    for (Claim claim : request) {
      table.drop(claim.key(), nowMicros);
    }
    return peek(request);
  }

  /** Keys in memory, including those that have expired and not been dropped yet. */
  public long size() {
    return table.size();
  }

  /** How many keys may live at a time. */
  public long maxKeys() {
    return table.maxCells();
  }

  /**
   * How much of {@link #maxKeys} is occupied. A key counts as one, and a key with a log for the
   * memory of that log; so the store may be full with fewer keys than {@code maxKeys}.
   */
  public long occupied() {
    return table.cells();
  }

  /** How many claims found no room and were counted by a shared counter. */
  public long overflowed() {
    return overflowed.sum();
  }

  /** How many live counters were evicted from rules that had more than their share. */
  public long evicted() {
    return table.evicted();
  }

  /**
   * Drops every expired key now, one segment of the table at a time. Insertions of new keys drop
   * expired ones by themselves; call this to free the memory where no new keys are expected.
   */
  public void trim() {
    table.trim(ticker.micros());
  }

  /** Takes a single claim, the usual case: no lock unless it is granted, and no list. */
  private Decision take(Limit limit, long high, long low, long cost, long holder) {
    long nowMicros = ticker.micros();
    long hash = Table.hash(high, low);
    Rows rows = table.rows(hash);
    for (int attempt = 0; ; attempt++) {
      Decision decision = takeIn(rows, limit, high, low, cost, holder, nowMicros);
      if (decision != null) {
        return decision;
      }
      Spin.pause(attempt);
      rows = table.rowsAfter(rows, hash);
    }
  }

  /**
   * Searches like {@link Rows#find}, and takes; null if another thread interfered. The first word
   * of a row is read before its key, so that what is computed from the row is known to belong to
   * this key if the word stays the same.
   */
  private @Nullable Decision takeIn(
      Rows rows, Limit limit, long high, long low, long cost, long holder, long nowMicros) {
    int moves = rows.moves();
    for (int slot = rows.home(Table.slotHash(high, low)); ; slot = rows.after(slot)) {
      long meta = rows.meta(slot);
      if (!Meta.isOccupied(meta)) {
        boolean absent = rows.isAsOf(moves);
        return absent ? takeFirst(limit, high, low, cost, holder, nowMicros) : null;
      }
      if (rows.holds(slot, high, low)) {
        Decision decision = takeFrom(rows, slot, meta, limit, nowMicros, cost);
        return needsLock(decision)
            ? takeLocked(rows, slot, claim(limit, high, low, cost, holder), nowMicros)
            : decision;
      }
    }
  }

  /** Takes from a key that has no row; null if another thread has just added the row. */
  private @Nullable Decision takeFirst(
      Limit limit, long high, long low, long cost, long holder, long nowMicros) {
    Step step = Counter.take(0, 0, Step.NO_LOG, limit, nowMicros, cost, holder);
    if (!step.decision().allowed() || cost == 0) {
      return step.decision();
    }
    Row fresh = Row.unplaced(high, low, limit);
    fresh.set(step.level(), step.at(), step.log());
    return switch (table.add(fresh, false, nowMicros)) {
      case NEW -> step.decision();
      case PRESENT -> null;
      case FULL -> takeShared(limit, high, low, cost, holder, nowMicros);
    };
  }

  /** Takes from the shared counter of keys without room; null if another thread interfered. */
  private @Nullable Decision takeShared(
      Limit limit, long high, long low, long cost, long holder, long nowMicros) {
    Rows rows = overflow.counter(limit);
    Decision decision = takeFrom(rows, 0, rows.meta(0), limit, nowMicros, cost);
    if (needsLock(decision)) {
      decision = takeLocked(rows, 0, claim(limit, high, low, cost, holder), nowMicros);
    }
    if (decision != null) {
      overflowed.increment();
    }
    return decision;
  }

  /**
   * Takes from a row that was at {@code meta}; null if another thread interfered, {@link
   * #NEEDS_LOCK} if the row has a log or was written under a different limit.
   */
  private static @Nullable Decision takeFrom(
      Rows rows, int slot, long meta, Limit limit, long nowMicros, long cost) {
    long level = rows.level(slot);
    long at = rows.at(slot);
    boolean alike = Meta.isFreeUnder(meta, limit) || isFreeUnderLike(rows, slot, meta, limit);
    if (!rows.unchanged(slot, meta) || !Meta.isFree(meta)) {
      return null;
    }
    // Each branch calls finish itself, so that escape analysis removes the step objects. A
    // comparison costs less than a switch, and most limits are token buckets.
    Algorithm algorithm = limit.algorithm();
    if (!alike) {
      return NEEDS_LOCK;
    } else if (algorithm == Algorithm.TOKEN_BUCKET || algorithm == Algorithm.LEAKY_BUCKET) {
      return finish(rows, slot, meta, Bucket.take(level, at, limit, nowMicros, cost));
    } else if (algorithm == Algorithm.FIXED_WINDOW) {
      return finish(rows, slot, meta, FixedWindow.take(level, at, limit, nowMicros, cost));
    } else if (algorithm == Algorithm.SLIDING_COUNTER) {
      return finish(rows, slot, meta, SlidingCounter.take(level, at, limit, nowMicros, cost));
    } else {
      return NEEDS_LOCK;
    }
  }

  @SuppressWarnings("ReferenceEquality") // a decision on a claim may equal it
  private static boolean needsLock(@Nullable Decision decision) {
    return decision == NEEDS_LOCK;
  }

  /** Whether the row is free and was written under another limit with the same numbers. */
  private static boolean isFreeUnderLike(Rows rows, int slot, long meta, Limit limit) {
    Object kept = rows.kept(slot);
    return Meta.isFree(meta) && kept != null && LimitAndLog.limit(kept).countsLike(limit);
  }

  private static @Nullable Decision finish(Rows rows, int slot, long meta, Step step) {
    if (!step.decision().allowed()) {
      return step.decision();
    }
    if (!rows.tryLock(slot, meta)) {
      return null;
    }
    rows.write(slot, step.level(), step.at());
    rows.unlock(slot, Meta.next(meta));
    return step.decision();
  }

  private static Claim claim(Limit limit, long high, long low, long cost, long holder) {
    return new Claim(limit, new LimitKey(high, low), cost, holder);
  }

  private @Nullable Decision takeLocked(Rows rows, int slot, Claim claim, long nowMicros) {
    Limit limit = claim.limit();
    Row row = rows.inTable() ? Row.of(rows, slot, claim.key(), limit) : Row.shared(rows, limit);
    return Transaction.run(Operation.TAKE, List.of(claim), new Row[] {row}, table, nowMicros);
  }

  private Decision run(Operation operation, List<Claim> claims) {
    MultiClaimOperation run =
        new MultiClaimOperation(table, overflow, operation, claims, ticker.micros());
    Decision decision = run.run();
    overflowed.add(run.overflowed());
    return decision;
  }
}
