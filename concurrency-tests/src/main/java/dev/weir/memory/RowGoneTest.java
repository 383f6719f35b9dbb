package dev.weir.memory;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/**
 * Nothing is written to a row that has gone: a write comes before the removal, which then sees it,
 * or not at all.
 *
 * <p>One thread locks the row, notes its level and removes it; the other increments, by a lock it
 * waits for or on a state it read before. Broken by: a lock that succeeds on an empty row, or waits
 * for it for ever; a removal that does not hold the lock.
 *
 * <pre>
 * seen, incremented
 *  0,      0         removed first, or the increment met the removal
 *  1,      1         incremented first, and the removal saw it
 *  0,      1         an increment went to a row that had gone: a grant nobody counts
 *  1,      0         an increment counted and not told
 * </pre>
 */
public class RowGoneTest {
  private RowGoneTest() {}

  /** Against a thread that waits for the lock. */
  @JCStressTest
  @Outcome(id = "0, 0", expect = ACCEPTABLE, desc = "removed first")
  @Outcome(id = "1, 1", expect = ACCEPTABLE, desc = "incremented first, and the removal saw it")
  @Outcome(expect = FORBIDDEN, desc = "an increment went to a row that had gone")
  @State
  public static class WhileLocking {
    private final Rows rows = Given.rows(0);

    @Actor
    public void remove(II_Result result) {
      result.r1 = end(rows);
    }

    @Actor
    public void increment(II_Result result) {
      Row row = Row.of(rows, Given.SLOT, Given.A, Given.perHour(9));
      if (row.lock()) {
        row.level++;
        row.write(row.toKeep());
        result.r2 = 1;
      }
    }
  }

  /** Against a thread that locks what it has read. */
  @JCStressTest
  @Outcome(id = "0, 0", expect = ACCEPTABLE, desc = "removed first, or met")
  @Outcome(id = "1, 1", expect = ACCEPTABLE, desc = "incremented first, and the removal saw it")
  @Outcome(expect = FORBIDDEN, desc = "an increment went to a row that had gone")
  @State
  public static class WhileTrying {
    private final Rows rows = Given.rows(0);

    @Actor
    public void remove(II_Result result) {
      result.r1 = end(rows);
    }

    @Actor
    public void increment(II_Result result) {
      result.r2 = Given.increment(rows) ? 1 : 0;
    }
  }

  private static int end(Rows rows) {
    rows.lock(Given.SLOT);
    int seen = (int) rows.level(Given.SLOT);
    rows.remove(Given.SLOT);
    return seen;
  }
}
