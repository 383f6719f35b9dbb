package dev.weir.memory;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.Limit;
import dev.weir.LimitKey;
import dev.weir.algorithm.Step;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** The table against a plain map: random additions, removals and expiries. */
class SegmentTest {
  private static final Limit LIMIT = Limit.tokenBucket(1, Duration.ofSeconds(1));

  @Test
  void holdsExactlyWhatAMapWouldHold() {
    long seed = Long.getLong("weir.seed", System.nanoTime());
    Random random = new Random(seed);
    CellTable table = new CellTable(5_000);
    Map<LimitKey, Cell> expected = new HashMap<>();
    for (int i = 0; i < 500_000; i++) {
      // Few distinct keys with few distinct low bits: long probe runs, and wraps.
      LimitKey key = new LimitKey(0, random.nextInt(3_000));
      if (random.nextInt(3) > 0) {
        Cell fresh = cell(key);
        Cell present = table.add(fresh, 0);
        assertThat(present).as("seed %d", seed).isSameAs(expected.getOrDefault(key, fresh));
        expected.put(key, present);
      } else {
        table.drop(key.high(), key.low(), 1_000_000);
        expected.remove(key);
      }
      LimitKey probe = new LimitKey(0, random.nextInt(3_000));
      assertThat(table.find(probe.high(), probe.low()))
          .as("seed %d", seed)
          .isSameAs(expected.get(probe));
    }
    assertThat(table.size()).as("seed %d", seed).isEqualTo(expected.size());
  }

  @Test
  void trimmingDropsTheExpiredAndKeepsTheRest() {
    CellTable table = new CellTable(100_000);
    for (int i = 0; i < 10_000; i++) {
      table.add(cell(new LimitKey(i, i)), 0);
      table.add(live(new LimitKey(-i - 1, i)), 0);
    }
    table.trim(1_000_000);
    assertThat(table.size()).isEqualTo(10_000);
    for (int i = 0; i < 10_000; i++) {
      assertThat(table.find(i, i)).isNull();
      assertThat(table.find(-i - 1, i)).isNotNull();
    }
  }

  /** A cell that is live until second 1. */
  private static Cell cell(LimitKey key) {
    Cell cell = new Cell(key, LIMIT);
    cell.set(LIMIT.capacityUnits(), 0, Step.NO_LOG);
    return cell;
  }

  /** A cell that is live until second 2. */
  private static Cell live(LimitKey key) {
    Cell cell = new Cell(key, LIMIT);
    cell.set(LIMIT.capacityUnits(), 1_000_000, Step.NO_LOG);
    return cell;
  }
}
