package dev.weir.memory;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;
import org.openjdk.jcstress.infra.results.I_Result;

/**
 * A cell found without a lock is found whole, and a key has one cell.
 *
 * <p>Broken by: a slot written without release, or read without acquire: the finder could see the
 * cell and not the level written before it was added; an {@code add} that does not look again under
 * the lock.
 */
public class TableAddTest {
  private TableAddTest() {}

  /**
   * One thread adds a cell of level 7, the other looks for it.
   *
   * <pre>
   * -1   not there yet
   *  7   there, with what was written before it was added
   * else a cell found before it was written
   * </pre>
   */
  @JCStressTest
  @Outcome(id = "-1", expect = ACCEPTABLE, desc = "not there yet")
  @Outcome(id = "7", expect = ACCEPTABLE, desc = "there, and whole")
  @Outcome(expect = FORBIDDEN, desc = "found before it was written")
  @State
  public static class WhileFinding {
    private final CellTable table = Given.table();

    @Actor
    public void add() {
      table.add(Given.cell(Given.A, Given.perHour(9), 7), Given.NOW_MICROS);
    }

    @Actor
    public void find(I_Result result) {
      Cell cell = table.find(Given.A.high(), Given.A.low());
      result.r1 = cell == null ? -1 : (int) cell.level;
    }
  }

  /**
   * Both threads add a cell for one key.
   *
   * <pre>
   * first, second, size     1 for the own cell, 0 for the cell of the other
   *   1,     0,     1       the first was first
   *   0,     1,     1       the second was first
   *   1,     1,     any     two cells for one key: its limit is granted twice
   * </pre>
   */
  @JCStressTest
  @Outcome(
      id = {"1, 0, 1", "0, 1, 1"},
      expect = ACCEPTABLE,
      desc = "one added, the other got the same")
  @Outcome(expect = FORBIDDEN, desc = "two cells for one key, or none")
  @State
  public static class WhileAdding {
    private final CellTable table = Given.table();
    private final Cell one = Given.cell(Given.A, Given.perHour(9), 1);
    private final Cell other = Given.cell(Given.A, Given.perHour(9), 2);

    @Actor
    public void first(III_Result result) {
      result.r1 = table.add(one, Given.NOW_MICROS) == one ? 1 : 0;
    }

    @Actor
    public void second(III_Result result) {
      result.r2 = table.add(other, Given.NOW_MICROS) == other ? 1 : 0;
    }

    @Arbiter
    public void count(III_Result result) {
      result.r3 = (int) table.size();
    }
  }
}
