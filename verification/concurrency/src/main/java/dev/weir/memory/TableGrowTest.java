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
 * A search for a present key succeeds while the table grows.
 *
 * <p>A table of eight slots holds five live rows; one thread adds a sixth, which moves them all
 * into a larger array. The other looks for one of the five, which is at the end of a run, and for
 * the sixth. Broken by: a miss that counts while rows are in both arrays; an old row emptied before
 * the new one is there; growth that drops a live row.
 *
 * <pre>
 * old, new, size
 *  1,   0,    6    before the sixth
 *  1,   1,    6    after it
 *  0,  any,  any   a live key was not found: it would be treated as if never used
 * </pre>
 */
@JCStressTest
@Outcome(id = "1, 0, 6", expect = ACCEPTABLE, desc = "before")
@Outcome(id = "1, 1, 6", expect = ACCEPTABLE, desc = "after")
@Outcome(expect = FORBIDDEN, desc = "a live key was not found, or lost")
@State
public class TableGrowTest {
  private static final Limit LIMIT = Fixtures.perHour(9);
  private static final LimitKey SIXTH = new LimitKey(7, 7);

  private final Table table = Fixtures.table();

  public TableGrowTest() {
    for (long i = 0; i < 2; i++) {
      table.add(Fixtures.row(new LimitKey(7, i), LIMIT, 1), false, Fixtures.NOW_MICROS);
    }
    table.add(Fixtures.row(Fixtures.A, LIMIT, 1), false, Fixtures.NOW_MICROS);
    table.add(Fixtures.row(Fixtures.B, LIMIT, 1), false, Fixtures.NOW_MICROS);
    table.add(Fixtures.row(Fixtures.C, LIMIT, 1), false, Fixtures.NOW_MICROS);
  }

  @Actor
  public void grow() {
    table.add(Fixtures.row(SIXTH, LIMIT, 1), false, Fixtures.NOW_MICROS);
  }

  @Actor
  public void find(III_Result result) {
    result.r1 = table.find(Fixtures.C, LIMIT) != null ? 1 : 0;
    result.r2 = table.find(SIXTH, LIMIT) != null ? 1 : 0;
  }

  @Arbiter
  public void count(III_Result result) {
    result.r3 = (int) table.size();
  }
}
