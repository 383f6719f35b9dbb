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
import org.openjdk.jcstress.infra.results.I_Result;

/**
 * A reset of one key does not affect another key, even if it moves the other's row.
 *
 * <p>Two keys occupy consecutive slots. One thread resets the first, so that the second moves; the
 * other thread uses the second, whose only permit is spent. Broken by: trusting a search that
 * missed a row while it moved.
 */
public class NeighbourTest {
  private static final Limit ONE = Fixtures.perHour(1);
  private static final Claim A = Fixtures.claim(ONE, Fixtures.A);
  private static final Claim B = Fixtures.claim(ONE, Fixtures.B);

  private NeighbourTest() {}

  /** The two keys, one permit each, both spent. */
  private static MemoryStore spent() {
    MemoryStore store = Fixtures.store();
    store.take(A);
    store.take(B);
    return store;
  }

  /**
   * A peek at the second key.
   *
   * <pre>
   * 0   spent, as it is
   * 1   reported as if never used
   * </pre>
   */
  @JCStressTest
  @Outcome(id = "0", expect = ACCEPTABLE, desc = "spent, as it is")
  @Outcome(id = "1", expect = FORBIDDEN, desc = "reported as if never used")
  @State
  public static class Peek {
    private final MemoryStore store = spent();

    @Actor
    public void reset() {
      store.reset(List.of(A));
    }

    @Actor
    public void peek(I_Result result) {
      result.r1 = (int) store.peek(List.of(B)).remaining();
    }
  }

  /**
   * A refund of the second key; the result is what remains afterwards.
   *
   * <pre>
   * 1   refunded
   * 0   the refund was lost
   * </pre>
   */
  @JCStressTest
  @Outcome(id = "1", expect = ACCEPTABLE, desc = "refunded")
  @Outcome(id = "0", expect = FORBIDDEN, desc = "the refund was lost")
  @State
  public static class Refund {
    private final MemoryStore store = spent();

    @Actor
    public void reset() {
      store.reset(List.of(A));
    }

    @Actor
    public void refund() {
      store.refund(List.of(B));
    }

    @Arbiter
    public void after(I_Result result) {
      result.r1 = Fixtures.peekRemaining(store, ONE, Fixtures.B);
    }
  }
}
