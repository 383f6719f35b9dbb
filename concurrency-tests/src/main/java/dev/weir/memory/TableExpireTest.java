package dev.weir.memory;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/**
 * A cell is dropped as expired, or used again, never both.
 *
 * <p>The cell has nothing spent, so it may go. One thread trims the table; the other finds the cell
 * and spends from it as a grant does. Broken by: an expiry that reads the state without the lock of
 * the cell, or drops it without making it {@code DEAD}: the grant would go to a cell nobody finds
 * again.
 *
 * <pre>
 * spent, there
 *   1,     1     used again first: it is live, and stays
 *   0,     0     dropped first: the grant must begin again
 *   1,     0     a grant that nobody will count
 *   0,     1     neither used nor dropped
 * </pre>
 */
@JCStressTest
@Outcome(id = "1, 1", expect = ACCEPTABLE, desc = "used again, and stays")
@Outcome(id = "0, 0", expect = ACCEPTABLE, desc = "dropped, and the grant begins again")
@Outcome(id = "1, 0", expect = FORBIDDEN, desc = "a grant that nobody will count")
@Outcome(id = "0, 1", expect = FORBIDDEN, desc = "neither used nor dropped")
@State
public class TableExpireTest {
  private final CellTable table = Given.table();

  public TableExpireTest() {
    table.add(Given.cell(Given.A, Given.perHour(9), 0), Given.NOW_MICROS);
  }

  @Actor
  public void trim() {
    table.trim(Given.NOW_MICROS);
  }

  @Actor
  public void spend(II_Result result) {
    Cell cell = table.find(Given.A.high(), Given.A.low());
    if (cell == null) {
      return;
    }
    int version = cell.version();
    long next = cell.level + 1;
    if (Cell.isFree(version) && cell.tryLock(version)) {
      cell.level = next;
      cell.unlock(version);
      result.r1 = 1;
    }
  }

  @Arbiter
  public void after(II_Result result) {
    result.r2 = table.find(Given.A.high(), Given.A.low()) != null ? 1 : 0;
  }
}
