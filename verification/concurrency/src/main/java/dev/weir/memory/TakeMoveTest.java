package dev.weir.memory;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import dev.weir.Claim;
import dev.weir.Limit;
import dev.weir.LimitKey;
import java.util.List;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.IIII_Result;
import org.openjdk.jcstress.infra.results.III_Result;

/**
 * A take charges its own key and no other, even if its row moves meanwhile.
 *
 * <p>Rows of several keys form a run. One thread makes them move; the other takes. Broken by: a
 * take that does not check whether the row it locks still holds its key, or trusts a first word
 * that a move left as it was; a move that loses what was written before it; a request that waits
 * for a row that no longer holds its key.
 */
public class TakeMoveTest {
  private static final Limit THREE = Fixtures.perHour(3);
  private static final Claim A = Fixtures.claim(THREE, Fixtures.A);
  private static final Claim B = Fixtures.claim(THREE, Fixtures.B);
  private static final Claim C = Fixtures.claim(THREE, Fixtures.C);

  private TakeMoveTest() {}

  /** A store in which each of the three keys has two permits left. */
  private static MemoryStore store() {
    MemoryStore store = Fixtures.store();
    store.take(A);
    store.take(B);
    store.take(C);
    return store;
  }

  /**
   * A removal moves the row back, and the one behind it into its slot.
   *
   * <pre>
   * first, second, after, neighbour
   *   1,     0,      0,      2      both counted, on the right key
   * anything else                   a take was lost, or charged to another key
   * </pre>
   */
  @JCStressTest
  @Outcome(id = "1, 0, 0, 2", expect = ACCEPTABLE, desc = "both counted, on the right key")
  @Outcome(expect = FORBIDDEN, desc = "a take was lost, or charged to another key")
  @State
  public static class Removal {
    private final MemoryStore store = store();

    @Actor
    public void reset() {
      store.reset(List.of(A));
    }

    @Actor
    public void take(IIII_Result result) {
      result.r1 = Fixtures.remainingOrDenied(store.take(B));
      result.r2 = Fixtures.remainingOrDenied(store.take(B));
    }

    @Arbiter
    public void after(IIII_Result result) {
      result.r3 = Fixtures.peekRemaining(store, THREE, Fixtures.B);
      result.r4 = Fixtures.peekRemaining(store, THREE, Fixtures.C);
    }
  }

  /**
   * The table grows, and all rows move to another array.
   *
   * <pre>
   * first, second, after
   *   1,     0,      0      both counted
   * anything else           a take was lost during the move
   * </pre>
   */
  @JCStressTest
  @Outcome(id = "1, 0, 0", expect = ACCEPTABLE, desc = "both counted")
  @Outcome(expect = FORBIDDEN, desc = "a take was lost during the move")
  @State
  public static class Growth {
    private final MemoryStore store = store();

    public Growth() {
      store.take(Fixtures.claim(THREE, new LimitKey(7, 1)));
      store.take(Fixtures.claim(THREE, new LimitKey(7, 2)));
    }

    @Actor
    public void grow() {
      store.take(Fixtures.claim(THREE, new LimitKey(7, 3)));
    }

    @Actor
    public void take(III_Result result) {
      result.r1 = Fixtures.remainingOrDenied(store.take(C));
      result.r2 = Fixtures.remainingOrDenied(store.take(C));
    }

    @Arbiter
    public void after(III_Result result) {
      result.r3 = Fixtures.peekRemaining(store, THREE, Fixtures.C);
    }
  }

  /**
   * A key is reset and another one takes its slot.
   *
   * <pre>
   * take, after, other
   *   1,    3,     2     taken, then reset
   *   2,    2,     2     reset, then taken anew
   * any,  any,     1     charged to the other key
   * </pre>
   */
  @JCStressTest
  @Outcome(id = "1, 3, 2", expect = ACCEPTABLE, desc = "taken, then reset")
  @Outcome(id = "2, 2, 2", expect = ACCEPTABLE, desc = "reset, then taken anew")
  @Outcome(expect = FORBIDDEN, desc = "charged to the other key, or to none")
  @State
  public static class Reuse {
    private final MemoryStore store = Fixtures.store();

    public Reuse() {
      store.take(A);
    }

    @Actor
    public void replace() {
      store.reset(List.of(A));
      store.take(B);
    }

    @Actor
    public void take(III_Result result) {
      result.r1 = Fixtures.remainingOrDenied(store.take(A));
    }

    @Arbiter
    public void after(III_Result result) {
      result.r2 = Fixtures.peekRemaining(store, THREE, Fixtures.A);
      result.r3 = Fixtures.peekRemaining(store, THREE, Fixtures.B);
    }
  }

  /**
   * Two requests lock the same two rows while these move.
   *
   * <pre>
   * first, second, b, c
   *   1,     1,    0, 0    both counted on both
   * anything else          a take was lost; a hang is a request that waits for the wrong row
   * </pre>
   */
  @JCStressTest
  @Outcome(id = "1, 1, 0, 0", expect = ACCEPTABLE, desc = "both counted on both")
  @Outcome(expect = FORBIDDEN, desc = "a take was lost, or charged to another key")
  @State
  public static class BothWhileMoving {
    private final MemoryStore store = store();

    @Actor
    public void resetAndTake(IIII_Result result) {
      store.reset(List.of(A));
      result.r1 = store.take(List.of(C, B)).allowed() ? 1 : 0;
    }

    @Actor
    public void take(IIII_Result result) {
      result.r2 = store.take(List.of(B, C)).allowed() ? 1 : 0;
    }

    @Arbiter
    public void after(IIII_Result result) {
      result.r3 = Fixtures.peekRemaining(store, THREE, Fixtures.B);
      result.r4 = Fixtures.peekRemaining(store, THREE, Fixtures.C);
    }
  }
}
