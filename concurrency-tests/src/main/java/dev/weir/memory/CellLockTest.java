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
 * The lock of a cell excludes: of four increments under it none is lost.
 *
 * <p>Broken by: a lock taken without compare-and-set; an unlock that does not publish the level; an
 * unlock that puts the version back to where it was, so that a reader could mistake the new state
 * for the old one.
 *
 * <pre>
 * level, version since birth
 *   4,     8      every increment and every lock counted
 * anything else   two held the lock at once, or an unlock was lost
 * </pre>
 */
@JCStressTest
@Outcome(id = "4, 8", expect = ACCEPTABLE, desc = "one after the other")
@Outcome(expect = FORBIDDEN, desc = "two held the lock at once")
@State
public class CellLockTest {
  private final Cell cell = new Cell(Given.A, Given.perHour(1));
  private final int born = cell.version();

  private void increment() {
    int version = cell.lock();
    cell.level++;
    cell.unlock(version);
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
    result.r1 = (int) cell.level;
    result.r2 = cell.version() - born;
  }
}
