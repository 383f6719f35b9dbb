package dev.weir.memory;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.Limit;
import dev.weir.LimitKey;
import dev.weir.algorithm.Step;
import dev.weir.memory.Segment.Added;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The table against a plain map: random additions, removals and expiries. */
class TableTest {
  private static final Limit LIMIT = Limit.tokenBucket(1, Duration.ofSeconds(1));
  private static final Limit LOG = Limit.slidingLog(4, Duration.ofSeconds(1));
  private static final long SECOND = 1_000_000;

  private final long seed = Long.getLong("weir.seed", System.nanoTime());
  private final Random random = new Random(seed);

  /** The expected state of a key, wherever its row has moved. */
  private record State(Limit limit, long level, long at, int logged) {}

  @Test
  void holdsExactlyWhatAMapWouldHold() {
    Table table = new Table(9_000);
    Map<LimitKey, State> expected = new HashMap<>();
    for (int i = 0; i < 500_000; i++) {
      // Few distinct keys with few distinct low bits: long probe runs, and wraps.
      LimitKey key = new LimitKey(0, random.nextInt(3_000));
      if (random.nextInt(3) > 0) {
        State state = state(random);
        Added added = table.add(row(key, state), false, 0);
        boolean present = expected.putIfAbsent(key, state) != null;
        assertThat(added).as("seed %d", seed).isEqualTo(present ? Added.PRESENT : Added.NEW);
      } else {
        table.drop(key, SECOND);
        expected.remove(key);
      }
      LimitKey probe = new LimitKey(0, random.nextInt(3_000));
      assertThat(stateOf(table, probe)).as("seed %d", seed).isEqualTo(expected.get(probe));
    }
    assertThat(table.size()).as("seed %d", seed).isEqualTo(expected.size());
    expected.forEach(
        (key, state) -> assertThat(stateOf(table, key)).as("seed %d", seed).isEqualTo(state));
  }

  @Test
  void trimDropsExpiredRowsOnly() {
    Table table = new Table(100_000);
    for (int i = 0; i < 10_000; i++) {
      table.add(row(new LimitKey(i, i), new State(LIMIT, full(), 0, 0)), false, 0);
      table.add(row(new LimitKey(-i - 1, i), new State(LIMIT, full(), SECOND, 0)), false, 0);
    }
    table.trim(SECOND);
    assertThat(table.size()).isEqualTo(10_000);
    for (int i = 0; i < 10_000; i++) {
      assertThat(table.find(new LimitKey(i, i), LIMIT)).isNull();
      assertThat(table.find(new LimitKey(-i - 1, i), LIMIT)).isNotNull();
    }
  }

  @Test
  void aRowThatNoRequestHasUsedYetIsNotDroppedHoweverItMoves() {
    Table table = new Table(100_000);
    LimitKey pending = new LimitKey(-1, 7);
    assertThat(table.add(Row.unplaced(pending, LIMIT), true, 0)).isEqualTo(Added.NEW);
    for (int i = 0; i < 50_000; i++) {
      // One second later each time, so the previous row has expired; rows move, the table grows.
      long nowMicros = i * SECOND;
      table.add(row(new LimitKey(i, i), new State(LIMIT, full(), nowMicros, 0)), false, nowMicros);
    }
    table.trim(Long.MAX_VALUE / 2);
    assertThat(table.size()).isEqualTo(1);
    Row row = Objects.requireNonNull(table.find(pending, LIMIT));
    assertThat(row.lock()).isTrue();
    row.unlock();
    table.trim(Long.MAX_VALUE / 2);
    assertThat(table.size()).isZero();
  }

  @Test
  void aRowFoundBeforeItMovedOrWasDroppedIsNotLocked() {
    Table table = new Table(64);
    State state = new State(LIMIT, full(), 0, 0);
    Row[] found = new Row[40];
    for (int i = 0; i < found.length; i++) {
      table.add(row(new LimitKey(i, i), state), false, 0);
      found[i] = Objects.requireNonNull(table.find(new LimitKey(i, i), LIMIT));
    }
    table.drop(new LimitKey(39, 39), SECOND);
    table.add(row(new LimitKey(99, 99), state), false, 0);
    // The table has grown since the first row was found, and the last row was dropped.
    assertThat(found[0].lock()).isFalse();
    assertThat(found[39].lock()).isFalse();
  }

  private static State state(Random random) {
    boolean log = random.nextInt(10) == 0;
    int logged = log ? 1 + random.nextInt(3) : 0;
    return new State(log ? LOG : LIMIT, log ? 0 : 1 + random.nextInt(9), 0, logged);
  }

  private static long full() {
    return LIMIT.capacityUnits();
  }

  private static Row row(LimitKey key, State state) {
    Row row = Row.unplaced(key, state.limit);
    long[] log = state.logged == 0 ? Step.NO_LOG : new long[2 * state.logged];
    row.set(state.level, state.at, log);
    return row;
  }

  private static @Nullable State stateOf(Table table, LimitKey key) {
    Row row = table.find(key, LIMIT);
    if (row == null) {
      return null;
    }
    assertThat(row.lock()).isTrue();
    row.unlock();
    return new State(row.limit, row.level, row.at, row.log.length / 2);
  }
}
