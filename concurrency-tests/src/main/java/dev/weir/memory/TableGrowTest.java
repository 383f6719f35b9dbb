package dev.weir.memory;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import dev.weir.Limit;
import dev.weir.LimitKey;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;

/**
 * Growth is not noticed by who looks for a key that is there.
 *
 * <p>A table of eight slots holds six live cells; one thread adds a seventh, which moves them all
 * into a larger array. The other looks for one of the six, which stands at the end of a row, and
 * for the seventh. Broken by: an array published before it is filled; a growth that empties the old
 * array; growth that drops a live cell.
 *
 * <pre>
 * old, new, size
 *  1,   0,    7    before the seventh
 *  1,   1,    7    after it
 *  0,  any,  any   a live key was not found: it would be looked at as if never used
 * </pre>
 */
@JCStressTest
@Outcome(id = "1, 0, 7", expect = ACCEPTABLE, desc = "before")
@Outcome(id = "1, 1, 7", expect = ACCEPTABLE, desc = "after")
@Outcome(expect = FORBIDDEN, desc = "a live key was not found, or lost")
@State
public class TableGrowTest {
  private static final Limit LIMIT = Given.perHour(9);
  private static final LimitKey SEVENTH = new LimitKey(7, 7);

  private final CellTable table = Given.table();

  public TableGrowTest() {
    for (long i = 0; i < 3; i++) {
      table.add(Given.cell(new LimitKey(7, i), LIMIT, 1), Given.NOW_MICROS);
    }
    table.add(Given.cell(Given.A, LIMIT, 1), Given.NOW_MICROS);
    table.add(Given.cell(Given.B, LIMIT, 1), Given.NOW_MICROS);
    table.add(Given.cell(Given.C, LIMIT, 1), Given.NOW_MICROS);
  }

  @Actor
  public void grow() {
    table.add(Given.cell(SEVENTH, LIMIT, 1), Given.NOW_MICROS);
  }

  @Actor
  public void find(III_Result result) {
    result.r1 = table.find(Given.C.high(), Given.C.low()) != null ? 1 : 0;
    result.r2 = table.find(SEVENTH.high(), SEVENTH.low()) != null ? 1 : 0;
  }

  @Arbiter
  public void count(III_Result result) {
    result.r3 = (int) table.size();
  }
}
