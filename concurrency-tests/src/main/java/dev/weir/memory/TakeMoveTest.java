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
 * A key is charged where it is, wherever its row goes meanwhile, and nobody else is.
 *
 * <p>Rows of several keys stand in a run. One thread makes them move; the other takes. Broken by: a
 * take that does not look whether the row it locks still holds its key, or trusts a first word that
 * a move left as it was; a move that loses what was written before it; a request that waits for a
 * row that no longer holds its key.
 */
public class TakeMoveTest {
  private static final Limit THREE = Given.perHour(3);
  private static final Claim A = Given.claim(THREE, Given.A);
  private static final Claim B = Given.claim(THREE, Given.B);
  private static final Claim C = Given.claim(THREE, Given.C);

  private TakeMoveTest() {}

  /** A store in which each of the three keys has two permits left. */
  private static MemoryStore store() {
    MemoryStore store = Given.store();
    store.take(A);
    store.take(B);
    store.take(C);
    return store;
  }

  /**
   * A removal moves the row back, and the one behind it into its place.
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
    public void forget() {
      store.forget(List.of(A));
    }

    @Actor
    public void take(IIII_Result result) {
      result.r1 = Given.left(store.take(B));
      result.r2 = Given.left(store.take(B));
    }

    @Arbiter
    public void after(IIII_Result result) {
      result.r3 = Given.standing(store, THREE, Given.B);
      result.r4 = Given.standing(store, THREE, Given.C);
    }
  }

  /**
   * The table grows, and all rows move to another array.
   *
   * <pre>
   * first, second, after
   *   1,     0,      0      both counted
   * anything else           a take was lost on the way
   * </pre>
   */
  @JCStressTest
  @Outcome(id = "1, 0, 0", expect = ACCEPTABLE, desc = "both counted")
  @Outcome(expect = FORBIDDEN, desc = "a take was lost on the way")
  @State
  public static class Growth {
    private final MemoryStore store = store();

    public Growth() {
      store.take(Given.claim(THREE, new LimitKey(7, 1)));
      store.take(Given.claim(THREE, new LimitKey(7, 2)));
    }

    @Actor
    public void grow() {
      store.take(Given.claim(THREE, new LimitKey(7, 3)));
    }

    @Actor
    public void take(III_Result result) {
      result.r1 = Given.left(store.take(C));
      result.r2 = Given.left(store.take(C));
    }

    @Arbiter
    public void after(III_Result result) {
      result.r3 = Given.standing(store, THREE, Given.C);
    }
  }

  /**
   * A key is forgotten and another takes its place.
   *
   * <pre>
   * take, after, other
   *   1,    3,     2     taken, then forgotten
   *   2,    2,     2     forgotten, then taken anew
   * any,  any,     1     charged to the other key
   * </pre>
   */
  @JCStressTest
  @Outcome(id = "1, 3, 2", expect = ACCEPTABLE, desc = "taken, then forgotten")
  @Outcome(id = "2, 2, 2", expect = ACCEPTABLE, desc = "forgotten, then taken anew")
  @Outcome(expect = FORBIDDEN, desc = "charged to the other key, or to none")
  @State
  public static class Reuse {
    private final MemoryStore store = Given.store();

    public Reuse() {
      store.take(A);
    }

    @Actor
    public void replace() {
      store.forget(List.of(A));
      store.take(B);
    }

    @Actor
    public void take(III_Result result) {
      result.r1 = Given.left(store.take(A));
    }

    @Arbiter
    public void after(III_Result result) {
      result.r2 = Given.standing(store, THREE, Given.A);
      result.r3 = Given.standing(store, THREE, Given.B);
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
    public void forgetAndTake(IIII_Result result) {
      store.forget(List.of(A));
      result.r1 = store.take(List.of(C, B)).allowed() ? 1 : 0;
    }

    @Actor
    public void take(IIII_Result result) {
      result.r2 = store.take(List.of(B, C)).allowed() ? 1 : 0;
    }

    @Arbiter
    public void after(IIII_Result result) {
      result.r3 = Given.standing(store, THREE, Given.B);
      result.r4 = Given.standing(store, THREE, Given.C);
    }
  }
}
