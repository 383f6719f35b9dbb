package dev.weir.memory;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE_INTERESTING;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/**
 * A removal that moves other cells neither loses nor doubles one of them.
 *
 * <p>Three keys stand in a row because their search starts at the same slot. One thread removes the
 * first, so that the others move one slot back; the other thread looks for the last, and if it
 * misses it adds it, as a store does. A miss is allowed: the finder may have passed the slot the
 * cell moved to before it moved. Broken by: an {@code add} that trusts the miss; a shift that
 * clears the old slot before the new one is written; a shift that leaves a gap in the row.
 *
 * <pre>
 * met, after
 *  1,    1    found at once
 *  2,    1    missed, and add found it under the lock
 *  3,    any  missed, and add made a second cell: its limit is granted twice
 *  4,    any  found another key's cell
 *  any,  0    lost from the table
 * </pre>
 */
@JCStressTest
@Outcome(id = "1, 1", expect = ACCEPTABLE, desc = "found at once")
@Outcome(id = "2, 1", expect = ACCEPTABLE_INTERESTING, desc = "missed, and add found it")
@Outcome(id = "3, .*", expect = FORBIDDEN, desc = "a second cell for the key")
@Outcome(id = "4, .*", expect = FORBIDDEN, desc = "found another key's cell")
@Outcome(expect = FORBIDDEN, desc = "lost from the table")
@State
public class TableRemoveTest {
  private final CellTable table = Given.table();
  private final Cell last = Given.cell(Given.C, Given.perHour(9), 1);

  public TableRemoveTest() {
    table.add(Given.cell(Given.A, Given.perHour(9), 1), Given.NOW_MICROS);
    table.add(Given.cell(Given.B, Given.perHour(9), 1), Given.NOW_MICROS);
    table.add(last, Given.NOW_MICROS);
  }

  @Actor
  public void remove() {
    table.drop(Given.A.high(), Given.A.low(), Given.LATER_MICROS);
  }

  @Actor
  public void find(II_Result result) {
    Cell found = table.find(Given.C.high(), Given.C.low());
    if (found != null) {
      result.r1 = found == last ? 1 : 4;
    } else {
      Cell fresh = new Cell(Given.C, Given.perHour(9));
      result.r1 = table.add(fresh, Given.NOW_MICROS) == last ? 2 : 3;
    }
  }

  @Arbiter
  public void after(II_Result result) {
    result.r2 = table.find(Given.C.high(), Given.C.low()) == last ? 1 : 0;
  }
}
