package dev.weir.memory;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;
import org.openjdk.jcstress.infra.results.II_Result;

/**
 * A permit is granted once, even to simultaneous requests.
 *
 * <p>Each test races takes of one permit on one key; a grant returns what remains after it, a
 * denial is -1. Broken by: a grant computed from a state that has changed since; a denial computed
 * from half a state; two rows created for one new key.
 */
public class TakeTest {
  private TakeTest() {}

  /**
   * Two takes on a key never seen before, with two permits.
   *
   * <pre>
   * 1, 0 or 0, 1    one after the other
   * 1, 1            both took the first permit: three could be granted
   * -1 anywhere     denied although there was room
   * </pre>
   */
  @JCStressTest
  @Outcome(
      id = {"1, 0", "0, 1"},
      expect = ACCEPTABLE,
      desc = "one after the other")
  @Outcome(expect = FORBIDDEN, desc = "the same permit twice, or a false denial")
  @State
  public static class NewKey {
    private final MemoryStore store = Fixtures.store();

    @Actor
    public void first(II_Result result) {
      result.r1 = take(store, 2);
    }

    @Actor
    public void second(II_Result result) {
      result.r2 = take(store, 2);
    }
  }

  /**
   * Three takes from two threads on a key with two permits left of three.
   *
   * <pre>
   * first, second, second again
   *   1,     0,     -1      in any order in which the second thread's own takes go down:
   *   0,     1,     -1      two grants, then a denial
   *  -1,     1,      0
   * anything else           more or fewer than two grants
   * </pre>
   */
  @JCStressTest
  @Outcome(
      id = {"1, 0, -1", "0, 1, -1", "-1, 1, 0"},
      expect = ACCEPTABLE,
      desc = "two grants, then a denial")
  @Outcome(expect = FORBIDDEN, desc = "more or fewer than two grants")
  @State
  public static class LastPermits {
    private final MemoryStore store = Fixtures.store();

    public LastPermits() {
      take(store, 3);
    }

    @Actor
    public void first(III_Result result) {
      result.r1 = take(store, 3);
    }

    @Actor
    public void second(III_Result result) {
      result.r2 = take(store, 3);
      result.r3 = take(store, 3);
    }
  }

  /**
   * Three takes from three threads on a new key with two permits; needs three CPUs.
   *
   * <pre>
   * any order of 1, 0, -1   two grants, then a denial
   * anything else           more or fewer than two grants
   * </pre>
   */
  @JCStressTest
  @Outcome(
      id = {"1, 0, -1", "1, -1, 0", "0, 1, -1", "0, -1, 1", "-1, 0, 1", "-1, 1, 0"},
      expect = ACCEPTABLE,
      desc = "two grants, then a denial")
  @Outcome(expect = FORBIDDEN, desc = "more or fewer than two grants")
  @State
  public static class ThreeThreads {
    private final MemoryStore store = Fixtures.store();

    @Actor
    public void first(III_Result result) {
      result.r1 = take(store, 2);
    }

    @Actor
    public void second(III_Result result) {
      result.r2 = take(store, 2);
    }

    @Actor
    public void third(III_Result result) {
      result.r3 = take(store, 2);
    }
  }

  private static int take(MemoryStore store, long permits) {
    return Fixtures.remainingOrDenied(
        store.take(Fixtures.claim(Fixtures.perHour(permits), Fixtures.A)));
  }
}
