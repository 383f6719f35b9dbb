package dev.weir.memory;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import dev.weir.memory.Segment.Added;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;
import org.openjdk.jcstress.infra.results.I_Result;

/**
 * A row found without a lock is complete, and a key has one row.
 *
 * <p>Broken by: a first word written without release, or read without acquire: the finder could see
 * the row and not the level written before it was added; an {@code add} that does not search again
 * under the lock.
 */
public class TableAddTest {
  private TableAddTest() {}

  /**
   * One thread adds a row of level 7, the other looks for it.
   *
   * <pre>
   * -1   not there yet
   *  7   there, with what was written before it was added
   * else a row found before it was written
   * </pre>
   */
  @JCStressTest
  @Outcome(id = "-1", expect = ACCEPTABLE, desc = "not there yet")
  @Outcome(id = "7", expect = ACCEPTABLE, desc = "there, and complete")
  @Outcome(expect = FORBIDDEN, desc = "found before it was written")
  @State
  public static class WhileFinding {
    private final Table table = Fixtures.table();

    @Actor
    public void add() {
      table.add(Fixtures.row(Fixtures.A, Fixtures.perHour(9), 7), false, Fixtures.NOW_MICROS);
    }

    @Actor
    public void find(I_Result result) {
      long hash = Table.hash(Fixtures.A.high(), Fixtures.A.low());
      Rows rows = table.rows(hash);
      int slot = rows.find(Table.slotHash(hash), Fixtures.A.high(), Fixtures.A.low());
      result.r1 = slot < 0 ? -1 : (int) rows.level(slot);
    }
  }

  /**
   * Both threads add a row for one key.
   *
   * <pre>
   * first, second, size     1 for the own row, 0 for the row of the other
   *   1,     0,     1       the first was first
   *   0,     1,     1       the second was first
   *   1,     1,     any     two rows for one key: its limit is granted twice
   * </pre>
   */
  @JCStressTest
  @Outcome(
      id = {"1, 0, 1", "0, 1, 1"},
      expect = ACCEPTABLE,
      desc = "one added, the other got the same row")
  @Outcome(expect = FORBIDDEN, desc = "two rows for one key, or none")
  @State
  public static class WhileAdding {
    private final Table table = Fixtures.table();
    private final Row one = Fixtures.row(Fixtures.A, Fixtures.perHour(9), 1);
    private final Row other = Fixtures.row(Fixtures.A, Fixtures.perHour(9), 2);

    @Actor
    public void first(III_Result result) {
      result.r1 = table.add(one, false, Fixtures.NOW_MICROS) == Added.NEW ? 1 : 0;
    }

    @Actor
    public void second(III_Result result) {
      result.r2 = table.add(other, false, Fixtures.NOW_MICROS) == Added.NEW ? 1 : 0;
    }

    @Arbiter
    public void count(III_Result result) {
      result.r3 = (int) table.size();
    }
  }
}
