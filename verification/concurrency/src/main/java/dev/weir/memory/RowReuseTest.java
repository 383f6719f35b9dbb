package dev.weir.memory;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import dev.weir.LimitKey;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;

/**
 * A row that is removed and reused is not mistaken for its earlier state.
 *
 * <p>One thread removes the row, whose level is 1, and reuses it with level 5; the other increments
 * on a state it read before. Broken by: a first word that starts again when the row does, or is not
 * changed by a removal or an insertion: the lock would then succeed on what was read from the row's
 * earlier use.
 */
public class RowReuseTest {
  private RowReuseTest() {}

  /**
   * For the same key.
   *
   * <pre>
   * seen by the removal, incremented, after
   *    2,                   1,         5     incremented, then removed
   *    1,                   0,         5     conflict
   *    1,                   1,         6     used again, then incremented
   * anything else                            a state of the earlier use in the later one
   * </pre>
   */
  @JCStressTest
  @Outcome(id = "2, 1, 5", expect = ACCEPTABLE, desc = "incremented, then removed")
  @Outcome(id = "1, 0, 5", expect = ACCEPTABLE, desc = "conflict, must retry")
  @Outcome(id = "1, 1, 6", expect = ACCEPTABLE, desc = "used again, then incremented")
  @Outcome(expect = FORBIDDEN, desc = "one use mistaken for another")
  @State
  public static class SameKey {
    private final Rows rows = Fixtures.rows(1);

    @Actor
    public void reuse(III_Result result) {
      result.r1 = replace(rows, Fixtures.A);
    }

    @Actor
    public void increment(III_Result result) {
      result.r2 = Fixtures.increment(rows) ? 1 : 0;
    }

    @Arbiter
    public void after(III_Result result) {
      result.r3 = (int) rows.level(Fixtures.SLOT);
    }
  }

  /**
   * For another key, which must not be charged.
   *
   * <pre>
   * seen by the removal, incremented, after
   *    2,                   1,         5     incremented, then removed
   *    1,                   0,         5     removed first, or a conflict
   *    1,                   1,         any   a grant charged to another key
   * </pre>
   */
  @JCStressTest
  @Outcome(id = "2, 1, 5", expect = ACCEPTABLE, desc = "incremented, then removed")
  @Outcome(id = "1, 0, 5", expect = ACCEPTABLE, desc = "removed first, or a conflict")
  @Outcome(expect = FORBIDDEN, desc = "a grant charged to another key")
  @State
  public static class OtherKey {
    private final Rows rows = Fixtures.rows(1);

    @Actor
    public void reuse(III_Result result) {
      result.r1 = replace(rows, Fixtures.B);
    }

    @Actor
    public void increment(III_Result result) {
      result.r2 = Fixtures.increment(rows) ? 1 : 0;
    }

    @Arbiter
    public void after(III_Result result) {
      result.r3 = (int) rows.level(Fixtures.SLOT);
    }
  }

  private static int replace(Rows rows, LimitKey key) {
    rows.lock(Fixtures.SLOT);
    int seen = (int) rows.level(Fixtures.SLOT);
    rows.remove(Fixtures.SLOT);
    Fixtures.occupy(rows, key, 5);
    return seen;
  }
}
