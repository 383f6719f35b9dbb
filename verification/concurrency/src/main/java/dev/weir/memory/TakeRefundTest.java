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
import org.openjdk.jcstress.infra.results.II_Result;

/**
 * A refunded permit can be taken once.
 *
 * <p>The only permit is spent; one thread refunds it, the other takes. Broken by: a refund that
 * writes without excluding grants, so that one of the two writes is lost.
 *
 * <pre>
 * take, after
 *  -1,    1    denied, then refunded
 *   0,    0    refunded, then taken
 *  -1,    0    the refund was lost
 *   0,    1    the grant was lost: the permit exists twice
 * </pre>
 */
@JCStressTest
@Outcome(id = "-1, 1", expect = ACCEPTABLE, desc = "denied, then refunded")
@Outcome(id = "0, 0", expect = ACCEPTABLE, desc = "refunded, then taken")
@Outcome(id = "-1, 0", expect = FORBIDDEN, desc = "the refund was lost")
@Outcome(id = "0, 1", expect = FORBIDDEN, desc = "the grant was lost")
@State
public class TakeRefundTest {
  private static final Limit ONE = Fixtures.perHour(1);
  private static final Claim CLAIM = Fixtures.claim(ONE, Fixtures.A);

  private final MemoryStore store = Fixtures.store();

  public TakeRefundTest() {
    store.take(CLAIM);
  }

  @Actor
  public void take(II_Result result) {
    result.r1 = Fixtures.remainingOrDenied(store.take(CLAIM));
  }

  @Actor
  public void refund() {
    store.refund(List.of(CLAIM));
  }

  @Arbiter
  public void after(II_Result result) {
    result.r2 = Fixtures.peekRemaining(store, ONE, Fixtures.A);
  }
}
