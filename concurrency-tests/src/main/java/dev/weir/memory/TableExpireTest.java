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
 * A row is dropped as expired, or used again, never both.
 *
 * <p>The row has nothing spent, so it may go. One thread trims the table; the other finds the row
 * and spends from it. Broken by: an expiry that drops a state it has not locked, or leaves the
 * first word as it was: the grant would go to a row nobody finds again.
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
  private final Table table = Given.table();

  public TableExpireTest() {
    table.add(Given.row(Given.A, Given.perHour(9), 0), false, Given.NOW_MICROS);
  }

  @Actor
  public void trim() {
    table.trim(Given.NOW_MICROS);
  }

  @Actor
  public void spend(II_Result result) {
    Row row = table.find(Given.A, Given.perHour(9));
    if (row != null && row.lock()) {
      row.level++;
      row.write(row.toKeep());
      result.r1 = 1;
    }
  }

  @Arbiter
  public void after(II_Result result) {
    result.r2 = table.find(Given.A, Given.perHour(9)) != null ? 1 : 0;
  }
}
