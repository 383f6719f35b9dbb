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
 * A row is dropped as expired, or reused, never both.
 *
 * <p>The row has nothing spent, so it may go. One thread trims the table; the other finds the row
 * and spends from it. Broken by: an expiry that drops a state it has not locked, or leaves the
 * first word as it was: the grant would go to a row that no search finds again.
 *
 * <pre>
 * spent, there
 *   1,     1     reused first: it is live, and stays
 *   0,     0     dropped first: the grant must retry
 *   1,     0     a grant that is not counted
 *   0,     1     neither reused nor dropped
 * </pre>
 */
@JCStressTest
@Outcome(id = "1, 1", expect = ACCEPTABLE, desc = "reused, and stays")
@Outcome(id = "0, 0", expect = ACCEPTABLE, desc = "dropped, and the grant retries")
@Outcome(id = "1, 0", expect = FORBIDDEN, desc = "a grant that is not counted")
@Outcome(id = "0, 1", expect = FORBIDDEN, desc = "neither reused nor dropped")
@State
public class TableExpireTest {
  private final Table table = Fixtures.table();

  public TableExpireTest() {
    table.add(Fixtures.row(Fixtures.A, Fixtures.perHour(9), 0), false, Fixtures.NOW_MICROS);
  }

  @Actor
  public void trim() {
    table.trim(Fixtures.NOW_MICROS);
  }

  @Actor
  public void spend(II_Result result) {
    Row row = table.find(Fixtures.A, Fixtures.perHour(9));
    if (row != null && row.lock()) {
      row.level++;
      row.write(row.toKeep());
      result.r1 = 1;
    }
  }

  @Arbiter
  public void after(II_Result result) {
    result.r2 = table.find(Fixtures.A, Fixtures.perHour(9)) != null ? 1 : 0;
  }
}
