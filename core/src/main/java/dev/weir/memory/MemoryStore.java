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
import dev.weir.operation.Operation;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * Counters in this process: exact under any number of threads, and bounded.
 *
 * <p>A key costs memory from its first grant until its counter is as if never used. No more than
 * {@code maxKeys} live at a time. What finds no room is charged to a counter shared by all such
 * keys of the same limit, so that a flood of keys neither exhausts memory, nor passes unlimited,
 * nor frees an abuser from its limit. A live counter is evicted only if its {@linkplain
 * Limit#group() rule} has more than its share of the room, for one of a rule that has less: a flood
 * under one rule costs no other rule its room.
 *
 * <p>It answers with decisions, not futures; its methods never block on anything but each other.
 */
public final class MemoryStore implements Store {
  /** The bound a store has if none is given. */
  public static final long DEFAULT_MAX_KEYS = 1_000_000;

  private static final long MAX_MAX_KEYS = 1L << 30;

  private final Ticker ticker;
  private final Table table;
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
    if (maxKeys < 1 || maxKeys > MAX_MAX_KEYS) {
      String expected = " (expected: between 1 and " + MAX_MAX_KEYS + ")";
      throw new IllegalArgumentException("maxKeys: " + maxKeys + expected);
    }
    this.table = new Table(maxKeys);
    this.ticker = Objects.requireNonNull(ticker, "ticker");
  }

  @Override
  public Decision take(Claim claim) {
    return take(claim.limit(), claim.keyHigh(), claim.keyLow(), claim.cost(), claim.permit());
  }

  /**
   * Takes what the limit says one request costs: {@link #take(Claim)} of {@link Claim#of(Limit,
   * LimitKey)}, without a claim to make.
   */
  public Decision take(Limit limit, LimitKey key) {
    if (limit.algorithm() == Algorithm.CONCURRENCY) {
      return take(Claim.of(limit, key));
    }
    return take(limit, key.high(), key.low() + limit.shape(), limit.cost(), 0);
  }

  @Override
  public Decision take(List<Claim> claims) {
    List<Claim> request = Claim.request(claims);
    return request.size() == 1 ? take(request.get(0)) : run(Operation.TAKE, request);
  }

  @Override
  public Decision look(List<Claim> claims) {
    return run(Operation.LOOK, Claim.request(claims));
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
  public Decision forget(List<Claim> claims) {
    List<Claim> request = Claim.request(claims);
    run(Operation.FORGET, request);
    long nowMicros = ticker.micros();
    for (Claim claim : request) {
      table.drop(claim.key(), nowMicros);
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

  /** How many live counters of rules that had more than their share made room for others. */
  public long evicted() {
    return table.evicted();
  }

  /**
   * Drops every expired key now, one part of the table at a time. New keys do this as they come;
   * call it where none may come for long and the memory is wanted.
   */
  public void trim() {
    table.trim(ticker.micros());
  }

  /** The way of a single claim, which most are: no lock unless it is granted, and no list. */
  private Decision take(Limit limit, long high, long low, long cost, long permit) {
    long nowMicros = ticker.micros();
    long hash = Table.hash(high, low);
    Rows rows = table.rows(hash);
    for (int attempt = 0; ; attempt++) {
      Decision decision = takeIn(rows, hash, limit, high, low, cost, permit, nowMicros);
      if (decision != null) {
        return decision;
      }
      Spin.pause(attempt);
      rows = table.rowsAfter(rows, hash);
    }
  }

  /**
   * Searches as {@link Rows#find} does, and takes; null if somebody else was at it. The first word
   * of a row is read before its key, so that what is computed from the row is known to belong to
   * this key if the word stays the same.
   */
  private @Nullable Decision takeIn(
      Rows rows,
      long hash,
      Limit limit,
      long high,
      long low,
      long cost,
      long permit,
      long nowMicros) {
    int moves = rows.moves();
    for (int slot = rows.home(Table.slotHash(hash)); ; slot = rows.after(slot)) {
      long meta = rows.meta(slot);
      if (!Meta.isOccupied(meta)) {
        boolean absent = rows.isAsOf(moves);
        return absent ? takeFirst(limit, high, low, cost, permit, nowMicros) : null;
      }
      if (rows.holds(slot, high, low)) {
        return takeFrom(rows, slot, meta, limit, high, low, cost, permit, nowMicros);
      }
    }
  }

  /** Takes from a key not seen before; null if somebody else has just made its row. */
  private @Nullable Decision takeFirst(
      Limit limit, long high, long low, long cost, long permit, long nowMicros) {
    Step step = Counter.take(0, 0, Step.NO_LOG, limit, nowMicros, cost, permit);
    if (!step.decision().allowed() || cost == 0) {
      return step.decision();
    }
    Row fresh = Row.unplaced(high, low, limit);
    fresh.set(step.level(), step.at(), step.log());
    return switch (table.add(fresh, false, nowMicros)) {
      case NEW -> step.decision();
      case PRESENT -> null;
      case FULL -> takeShared(limit, high, low, cost, permit, nowMicros);
    };
  }

  /** Takes from the counter of keys that found no room; null if somebody else was at it. */
  private @Nullable Decision takeShared(
      Limit limit, long high, long low, long cost, long permit, long nowMicros) {
    Rows rows = overflow.counter(limit);
    Decision decision = takeFrom(rows, 0, rows.meta(0), limit, high, low, cost, permit, nowMicros);
    if (decision != null) {
      overflowed.increment();
    }
    return decision;
  }

  /** Takes from a row that was at {@code meta}; null if somebody else was at it. */
  private @Nullable Decision takeFrom(
      Rows rows,
      int slot,
      long meta,
      Limit limit,
      long high,
      long low,
      long cost,
      long permit,
      long nowMicros) {
    long level = rows.level(slot);
    long at = rows.at(slot);
    boolean alike = Meta.isFreeUnder(meta, limit) || isFreeUnderLike(rows, slot, meta, limit);
    if (!rows.unchanged(slot, meta) || !Meta.isFree(meta)) {
      return null;
    }
    // Each way ends in its own finish, so that none of the steps has to exist as an object. A
    // comparison costs less than a switch, and most limits are token buckets.
    Algorithm algorithm = limit.algorithm();
    if (!alike) {
      return takeLocked(rows, slot, limit, high, low, cost, permit, nowMicros);
    } else if (algorithm == Algorithm.TOKEN_BUCKET || algorithm == Algorithm.LEAKY_BUCKET) {
      return finish(rows, slot, meta, Bucket.take(level, at, limit, nowMicros, cost));
    } else if (algorithm == Algorithm.FIXED_WINDOW) {
      return finish(rows, slot, meta, FixedWindow.take(level, at, limit, nowMicros, cost));
    } else if (algorithm == Algorithm.SLIDING_COUNTER) {
      return finish(rows, slot, meta, SlidingCounter.take(level, at, limit, nowMicros, cost));
    } else {
      return takeLocked(rows, slot, limit, high, low, cost, permit, nowMicros);
    }
  }

  /** Whether the row is free and was written under another limit of the same numbers. */
  private static boolean isFreeUnderLike(Rows rows, int slot, long meta, Limit limit) {
    Object kept = rows.kept(slot);
    return Meta.isFree(meta) && kept != null && Kept.limit(kept).countsLike(limit);
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

  private @Nullable Decision takeLocked(
      Rows rows,
      int slot,
      Limit limit,
      long high,
      long low,
      long cost,
      long permit,
      long nowMicros) {
    LimitKey key = new LimitKey(high, low);
    Row row = rows.inTable() ? Row.of(rows, slot, key, limit) : Row.shared(rows, limit);
    List<Claim> claims = List.of(new Claim(limit, key, cost, permit));
    return Transaction.run(Operation.TAKE, claims, new Row[] {row}, table, nowMicros);
  }

  private Decision run(Operation operation, List<Claim> claims) {
    Request request = new Request(table, overflow, operation, claims, ticker.micros());
    Decision decision = request.run();
    overflowed.add(request.overflowed());
    return decision;
  }
}
