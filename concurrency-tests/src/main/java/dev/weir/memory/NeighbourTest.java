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
 * Forgetting one key does not touch another, even where it moves the other's row.
 *
 * <p>Two keys stand in a row; one thread forgets the first, so that the second moves, and the other
 * thread uses the second, whose only permit is spent. Broken by: trusting a search that missed a
 * row while it moved.
 */
public class NeighbourTest {
  private static final Limit ONE = Given.perHour(1);
  private static final Claim A = Given.claim(ONE, Given.A);
  private static final Claim B = Given.claim(ONE, Given.B);

  private NeighbourTest() {}

  /** The two keys, one permit each, both spent. */
  private static MemoryStore spent() {
    MemoryStore store = Given.store();
    store.take(A);
    store.take(B);
    return store;
  }

  /**
   * A look at the second key.
   *
   * <pre>
   * 0   spent, as it is
   * 1   told as if never used
   * </pre>
   */
  @JCStressTest
  @Outcome(id = "0", expect = ACCEPTABLE, desc = "spent, as it is")
  @Outcome(id = "1", expect = FORBIDDEN, desc = "told as if never used")
  @State
  public static class Look {
    private final MemoryStore store = spent();

    @Actor
    public void forget() {
      store.forget(List.of(A));
    }

    @Actor
    public void look(I_Result result) {
      result.r1 = (int) store.look(List.of(B)).remaining();
    }
  }

  /**
   * A refund of the second key; the result is what it has left afterwards.
   *
   * <pre>
   * 1   refunded
   * 0   the refund went to nobody
   * </pre>
   */
  @JCStressTest
  @Outcome(id = "1", expect = ACCEPTABLE, desc = "refunded")
  @Outcome(id = "0", expect = FORBIDDEN, desc = "the refund went to nobody")
  @State
  public static class Refund {
    private final MemoryStore store = spent();

    @Actor
    public void forget() {
      store.forget(List.of(A));
    }

    @Actor
    public void refund() {
      store.refund(List.of(B));
    }

    @Arbiter
    public void after(I_Result result) {
      result.r1 = Given.standing(store, ONE, Given.B);
    }
  }
}
