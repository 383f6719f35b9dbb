package dev.weir.memory;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/**
 * Nothing is written to a removed row: a write comes before the removal, which then sees it, or not
 * at all.
 *
 * <p>One thread locks the row, reads its level and removes it; the other increments, under a lock
 * it waits for or on a state it read before. Broken by: a lock that succeeds on an empty row, or
 * waits for it forever; a removal that does not hold the lock.
 *
 * <pre>
 * seen, incremented
 *  0,      0         removed first, or the increment conflicted with the removal
 *  1,      1         incremented first, and the removal saw it
 *  0,      1         an increment went to a removed row: a grant that is not counted
 *  1,      0         an increment counted and not reported
 * </pre>
 */
public class RowRemovedTest {
  private RowRemovedTest() {}

  /** Against a thread that waits for the lock. */
  @JCStressTest
  @Outcome(id = "0, 0", expect = ACCEPTABLE, desc = "removed first")
  @Outcome(id = "1, 1", expect = ACCEPTABLE, desc = "incremented first, and the removal saw it")
  @Outcome(expect = FORBIDDEN, desc = "an increment went to a removed row")
  @State
  public static class WhileLocking {
    private final Rows rows = Fixtures.rows(0);

    @Actor
    public void remove(II_Result result) {
      result.r1 = readAndRemove(rows);
    }

    @Actor
    public void increment(II_Result result) {
      Row row = Row.of(rows, Fixtures.SLOT, Fixtures.A, Fixtures.perHour(9));
      if (row.lock()) {
        row.level++;
        row.write(row.toKeep());
        result.r2 = 1;
      }
    }
  }

  /** Against a thread that locks what it has read. */
  @JCStressTest
  @Outcome(id = "0, 0", expect = ACCEPTABLE, desc = "removed first, or a conflict")
  @Outcome(id = "1, 1", expect = ACCEPTABLE, desc = "incremented first, and the removal saw it")
  @Outcome(expect = FORBIDDEN, desc = "an increment went to a removed row")
  @State
  public static class WhileTrying {
    private final Rows rows = Fixtures.rows(0);

    @Actor
    public void remove(II_Result result) {
      result.r1 = readAndRemove(rows);
    }

    @Actor
    public void increment(II_Result result) {
      result.r2 = Fixtures.increment(rows) ? 1 : 0;
    }
  }

  private static int readAndRemove(Rows rows) {
    rows.lock(Fixtures.SLOT);
    int seen = (int) rows.level(Fixtures.SLOT);
    rows.remove(Fixtures.SLOT);
    return seen;
  }
}
