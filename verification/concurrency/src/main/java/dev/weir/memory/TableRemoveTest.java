package dev.weir.memory;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE_INTERESTING;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import dev.weir.Limit;
import dev.weir.memory.Segment.Added;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/**
 * A removal that moves other rows neither loses nor duplicates one of them.
 *
 * <p>Three keys form a run because their search starts at the same slot. One thread removes the
 * first, so that the others move one slot back; the other thread searches for the last, and adds it
 * on a miss, as a store does. Broken by: an {@code add} that trusts the miss; a shift that empties
 * the old row before the new one is there; a shift that leaves a gap in the run; a lock on a row
 * that holds another key by now.
 *
 * <pre>
 * met, after
 *  1,    1    found, wherever it was
 *  2,    1    missed, and add found it under the lock
 *  3,    any  missed, and add made a second row: its limit is granted twice
 *  4,    any  found another key's row
 *  any,  0    lost from the table
 * </pre>
 */
@JCStressTest
@Outcome(id = "1, 1", expect = ACCEPTABLE, desc = "found, wherever it was")
@Outcome(id = "2, 1", expect = ACCEPTABLE_INTERESTING, desc = "missed, and add found it")
@Outcome(id = "3, .*", expect = FORBIDDEN, desc = "a second row for the key")
@Outcome(id = "4, .*", expect = FORBIDDEN, desc = "found another key's row")
@Outcome(expect = FORBIDDEN, desc = "lost from the table")
@State
public class TableRemoveTest {
  private static final Limit LIMIT = Fixtures.perHour(9);
  private static final long LAST = 3;

  private final Table table = Fixtures.table();

  public TableRemoveTest() {
    table.add(Fixtures.row(Fixtures.A, LIMIT, 1), false, Fixtures.NOW_MICROS);
    table.add(Fixtures.row(Fixtures.B, LIMIT, 2), false, Fixtures.NOW_MICROS);
    table.add(Fixtures.row(Fixtures.C, LIMIT, LAST), false, Fixtures.NOW_MICROS);
  }

  @Actor
  public void remove() {
    table.drop(Fixtures.A, Fixtures.LATER_MICROS);
  }

  @Actor
  public void find(II_Result result) {
    Row row = table.find(Fixtures.C, LIMIT);
    while (row != null && !row.lock()) {
      row = table.find(Fixtures.C, LIMIT);
    }
    if (row != null) {
      row.unlock();
      result.r1 = row.level == LAST ? 1 : 4;
    } else {
      Row fresh = Row.unplaced(Fixtures.C, LIMIT);
      result.r1 = table.add(fresh, false, Fixtures.NOW_MICROS) == Added.PRESENT ? 2 : 3;
    }
  }

  @Arbiter
  public void after(II_Result result) {
    Row row = table.find(Fixtures.C, LIMIT);
    result.r2 = row != null && row.lock() && row.level == LAST ? 1 : 0;
  }
}
