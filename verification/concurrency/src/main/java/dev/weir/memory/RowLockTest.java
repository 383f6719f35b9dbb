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
 * The lock of a row excludes: of four increments under it none is lost.
 *
 * <p>Broken by: a lock taken without compare-and-set; an unlock that does not publish the level; an
 * unlock that puts the version back to where it was, so that a reader could mistake the new state
 * for the old one.
 *
 * <pre>
 * level, changes
 *  4,     4      every increment and every lock counted
 * anything else   two held the lock at once, or an unlock was lost
 * </pre>
 */
@JCStressTest
@Outcome(id = "4, 4", expect = ACCEPTABLE, desc = "one after the other")
@Outcome(expect = FORBIDDEN, desc = "two held the lock at once")
@State
public class RowLockTest {
  private final Rows rows = Fixtures.rows(0);
  private final long before = rows.meta(Fixtures.SLOT);

  private void increment() {
    long meta = rows.lock(Fixtures.SLOT);
    rows.write(Fixtures.SLOT, rows.level(Fixtures.SLOT) + 1, 0);
    rows.unlock(Fixtures.SLOT, Meta.next(meta));
  }

  @Actor
  public void first() {
    increment();
    increment();
  }

  @Actor
  public void second() {
    increment();
    increment();
  }

  @Arbiter
  public void count(II_Result result) {
    result.r1 = (int) rows.level(Fixtures.SLOT);
    for (long meta = before; meta != rows.meta(Fixtures.SLOT) && result.r2 < 9; result.r2++) {
      meta = Meta.next(meta);
    }
  }
}
