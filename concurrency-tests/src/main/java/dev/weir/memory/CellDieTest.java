package dev.weir.memory;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/**
 * Nothing is written to a dead cell: a write comes before the death, which then sees it, or not at
 * all.
 *
 * <p>One thread locks the cell, notes its level and ends it; the other increments, by {@code lock}
 * or by {@code tryLock} on a version it read before. Broken by: a {@code lock} or {@code tryLock}
 * that succeeds on a dead cell, or waits for it for ever; a death that does not hold the lock.
 *
 * <pre>
 * seen, incremented
 *  0,      0         died first, or the tryLock met the lock of the dying
 *  1,      1         incremented first, and the death saw it
 *  0,      1         an increment went to a dead cell: a grant nobody counts
 *  1,      0         an increment counted and not told
 * </pre>
 */
public class CellDieTest {
  private CellDieTest() {}

  /** Against a thread that waits for the lock. */
  @JCStressTest
  @Outcome(id = "0, 0", expect = ACCEPTABLE, desc = "died first")
  @Outcome(id = "1, 1", expect = ACCEPTABLE, desc = "incremented first, and the death saw it")
  @Outcome(expect = FORBIDDEN, desc = "an increment went to a dead cell")
  @State
  public static class WhileLocking {
    private final Cell cell = new Cell(Given.A, Given.perHour(1));

    @Actor
    public void die(II_Result result) {
      result.r1 = end(cell);
    }

    @Actor
    public void increment(II_Result result) {
      int version = cell.lock();
      if (version != Cell.DEAD) {
        cell.level++;
        cell.unlock(version);
        result.r2 = 1;
      }
    }
  }

  /** Against a thread that locks the version it has read. */
  @JCStressTest
  @Outcome(id = "0, 0", expect = ACCEPTABLE, desc = "died first, or met")
  @Outcome(id = "1, 1", expect = ACCEPTABLE, desc = "incremented first, and the death saw it")
  @Outcome(expect = FORBIDDEN, desc = "an increment went to a dead cell")
  @State
  public static class WhileTrying {
    private final Cell cell = new Cell(Given.A, Given.perHour(1));

    @Actor
    public void die(II_Result result) {
      result.r1 = end(cell);
    }

    @Actor
    public void increment(II_Result result) {
      int version = cell.version();
      long next = cell.level + 1;
      if (Cell.isFree(version) && cell.tryLock(version)) {
        cell.level = next;
        cell.unlock(version);
        result.r2 = 1;
      }
    }
  }

  private static int end(Cell cell) {
    cell.lock();
    int seen = (int) cell.level;
    cell.die();
    return seen;
  }
}
