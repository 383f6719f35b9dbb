package dev.weir.memory;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import dev.weir.Claim;
import dev.weir.Limit;
import java.time.Duration;
import java.util.List;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/**
 * There are never more holders at the same time than permits.
 *
 * <p>The holders are a log that is replaced as a whole. Broken by: a log read or replaced outside
 * the lock of the row, so that one holder overwrites another.
 */
public class PermitTest {
  private static final Limit ONE = Limit.concurrent(1, Duration.ofHours(1));

  private PermitTest() {}

  /**
   * Two holders want the only permit of a new key.
   *
   * <pre>
   * 0, -1 or -1, 0   one holds it
   * 0, 0             both hold it
   * -1, -1           neither holds it
   * </pre>
   */
  @JCStressTest
  @Outcome(
      id = {"0, -1", "-1, 0"},
      expect = ACCEPTABLE,
      desc = "one holds it")
  @Outcome(id = "0, 0", expect = FORBIDDEN, desc = "both hold it")
  @Outcome(id = "-1, -1", expect = FORBIDDEN, desc = "neither holds it")
  @State
  public static class TwoHolders {
    private final MemoryStore store = Fixtures.store();

    @Actor
    public void first(II_Result result) {
      result.r1 = Fixtures.remainingOrDenied(store.take(Claim.hold(ONE, Fixtures.A, 1)));
    }

    @Actor
    public void second(II_Result result) {
      result.r2 = Fixtures.remainingOrDenied(store.take(Claim.hold(ONE, Fixtures.A, 2)));
    }
  }

  /**
   * The holder releases the only permit while another wants it.
   *
   * <pre>
   * take, after
   *  -1,    1    denied, then released
   *   0,    0    released, then taken
   *  -1,    0    the release was lost: the permit is gone until it expires
   *   0,    1    the new holder was lost: a second one could join it
   * </pre>
   */
  @JCStressTest
  @Outcome(id = "-1, 1", expect = ACCEPTABLE, desc = "denied, then released")
  @Outcome(id = "0, 0", expect = ACCEPTABLE, desc = "released, then taken")
  @Outcome(id = "-1, 0", expect = FORBIDDEN, desc = "the release was lost")
  @Outcome(id = "0, 1", expect = FORBIDDEN, desc = "the new holder was lost")
  @State
  public static class HandOver {
    private final MemoryStore store = Fixtures.store();

    public HandOver() {
      store.take(Claim.hold(ONE, Fixtures.A, 1));
    }

    @Actor
    public void take(II_Result result) {
      result.r1 = Fixtures.remainingOrDenied(store.take(Claim.hold(ONE, Fixtures.A, 2)));
    }

    @Actor
    public void release() {
      store.refund(List.of(Claim.hold(ONE, Fixtures.A, 1)));
    }

    @Arbiter
    public void after(II_Result result) {
      List<Claim> third = List.of(Claim.hold(ONE, Fixtures.A, 3));
      result.r2 = (int) store.peek(third).remaining();
    }
  }
}
