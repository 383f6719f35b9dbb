package dev.weir.memory;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import dev.weir.Claim;
import dev.weir.Limit;
import java.util.List;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.IIII_Result;

/**
 * A request with two claims takes both or neither, and two such requests never wait for each other
 * forever.
 *
 * <p>Broken by: rows locked in the order of the claims (the opposite orders below would then
 * deadlock, which ends the run by its timeout); a denial that keeps what it had taken; a new key
 * left behind, or taken from, before all claims are known to pass.
 */
public class TakeBothTest {
  private static final Limit ONE = Fixtures.perHour(1);
  private static final Claim A = Fixtures.claim(ONE, Fixtures.A);
  private static final Claim B = Fixtures.claim(ONE, Fixtures.B);

  private TakeBothTest() {}

  /**
   * Two requests for the same two keys of one permit each, in opposite order.
   *
   * <pre>
   * first, second, a, b
   *   1,     0,    0, 0    the first took both
   *   0,     1,    0, 0    the second took both
   *   0,     0,   any      each took one and was denied the other
   *   1,     1,   any      a permit was granted twice
   * </pre>
   */
  @JCStressTest
  @Outcome(
      id = {"1, 0, 0, 0", "0, 1, 0, 0"},
      expect = ACCEPTABLE,
      desc = "one took both")
  @Outcome(expect = FORBIDDEN, desc = "half a request, or a permit granted twice")
  @State
  public static class OppositeOrder {
    private final MemoryStore store = Fixtures.store();

    @Actor
    public void first(IIII_Result result) {
      result.r1 = store.take(List.of(A, B)).allowed() ? 1 : 0;
    }

    @Actor
    public void second(IIII_Result result) {
      result.r2 = store.take(List.of(B, A)).allowed() ? 1 : 0;
    }

    @Arbiter
    public void after(IIII_Result result) {
      result.r3 = Fixtures.peekRemaining(store, ONE, Fixtures.A);
      result.r4 = Fixtures.peekRemaining(store, ONE, Fixtures.B);
    }
  }

  /**
   * A request for both keys, and one for the second key alone.
   *
   * <pre>
   * both, alone, a, b
   *  1,     0,   0, 0    both first
   *  0,     1,   1, 0    alone first: the denied request left the first key untouched
   *  0,     1,   0, 0    a denied request was charged
   * </pre>
   */
  @JCStressTest
  @Outcome(id = "1, 0, 0, 0", expect = ACCEPTABLE, desc = "both first")
  @Outcome(id = "0, 1, 1, 0", expect = ACCEPTABLE, desc = "alone first, and nothing charged")
  @Outcome(id = "0, 1, 0, 0", expect = FORBIDDEN, desc = "a denied request was charged")
  @Outcome(expect = FORBIDDEN, desc = "half a request, or a permit granted twice")
  @State
  public static class AgainstOne {
    private final MemoryStore store = Fixtures.store();

    @Actor
    public void both(IIII_Result result) {
      result.r1 = store.take(List.of(A, B)).allowed() ? 1 : 0;
    }

    @Actor
    public void alone(IIII_Result result) {
      result.r2 = store.take(B).allowed() ? 1 : 0;
    }

    @Arbiter
    public void after(IIII_Result result) {
      result.r3 = Fixtures.peekRemaining(store, ONE, Fixtures.A);
      result.r4 = Fixtures.peekRemaining(store, ONE, Fixtures.B);
    }
  }
}
