package dev.weir.memory;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;

/**
 * A grant computes its result from a state read without a lock, and writes it only over that same
 * state.
 *
 * <p>Both threads read the first word and the level, and write the level plus one if the word can
 * be locked as it was read. Broken by: a {@code tryLock} that takes any free row, or locks it
 * without compare-and-set: both would then write over one level.
 *
 * <pre>
 * first, second, level
 *   1,     1,      2     one after the other
 *   1,     0,      1     the second conflicted with the first, and must retry
 *   0,     1,      1     the first conflicted with the second
 *   1,     1,      1     an update was lost: two grants for one permit
 *   0,     0,      any   neither succeeded: no thread holds the lock
 * </pre>
 */
@JCStressTest
@Outcome(id = "1, 1, 2", expect = ACCEPTABLE, desc = "one after the other")
@Outcome(
    id = {"1, 0, 1", "0, 1, 1"},
    expect = ACCEPTABLE,
    desc = "one conflicted with the other, and must retry")
@Outcome(id = "1, 1, 1", expect = FORBIDDEN, desc = "lost update: two grants for one permit")
@Outcome(id = "0, 0, .*", expect = FORBIDDEN, desc = "neither succeeded")
@Outcome(expect = FORBIDDEN, desc = "a level that was never written")
@State
public class RowTryLockTest {
  private final Rows rows = Fixtures.rows(0);

  @Actor
  public void first(III_Result result) {
    result.r1 = Fixtures.increment(rows) ? 1 : 0;
  }

  @Actor
  public void second(III_Result result) {
    result.r2 = Fixtures.increment(rows) ? 1 : 0;
  }

  @Arbiter
  public void count(III_Result result) {
    result.r3 = (int) rows.level(Fixtures.SLOT);
  }
}
