package dev.weir.memory;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import dev.weir.Claim;
import dev.weir.Decision;
import dev.weir.Limit;
import dev.weir.Operation;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.I_Result;

/**
 * The bound of the table counts every counter by its limit, even if rows move while a limit
 * changes.
 *
 * <p>Two keys occupy consecutive slots. One thread removes the first, so that the second moves; the
 * other spends from the second under a new limit, whose log weighs as much as several cells.
 * Afterwards all rows are removed, and the whole bound must be free again. Broken by: an account of
 * the change that depends on finding the row in the table while it moves, or is made outside the
 * lock of the row.
 *
 * <pre>
 * free
 *  64             all of the bound
 * anything else   the bound has drifted: memory is refused, or no longer bounded
 * </pre>
 */
@JCStressTest
@Outcome(id = "64", expect = ACCEPTABLE, desc = "all of the bound is free again")
@Outcome(expect = FORBIDDEN, desc = "the bound has drifted")
@State
public class TableBoundTest {
  private static final Limit LIGHT = Fixtures.perHour(9);
  private static final Limit HEAVY = Limit.slidingLog(16, Duration.ofHours(1));

  private final Table table = Fixtures.table();

  public TableBoundTest() {
    table.add(Fixtures.row(Fixtures.A, LIGHT, 1), false, Fixtures.NOW_MICROS);
    table.add(Fixtures.row(Fixtures.B, LIGHT, 1), false, Fixtures.NOW_MICROS);
  }

  @Actor
  public void remove() {
    table.drop(Fixtures.A, Fixtures.LATER_MICROS);
  }

  @Actor
  public void change() {
    List<Claim> claims = List.of(Fixtures.claim(HEAVY, Fixtures.B));
    Decision decision = null;
    while (decision == null) {
      Row[] rows = {Objects.requireNonNull(table.find(Fixtures.B, HEAVY))};
      decision = Transaction.run(Operation.TAKE, claims, rows, table, Fixtures.NOW_MICROS);
    }
  }

  @Arbiter
  public void free(I_Result result) {
    table.drop(Fixtures.B, Fixtures.LATER_MICROS);
    while (result.r1 < 100 && table.reserve(LIGHT)) {
      result.r1++;
    }
  }
}
