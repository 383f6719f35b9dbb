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
 * A take is counted before a reset, or after it on a new counter; it is not lost in between.
 *
 * <p>One of two permits is spent. Broken by: a take that writes to a removed row, or a removal that
 * leaves the row usable.
 *
 * <pre>
 * take, after
 *  0,    2     taken, then reset
 *  1,    1     reset, then taken anew
 *  0,    1     the take saw the old counter and was charged to the new one
 *  1,    2     the take saw the new counter and was charged to none
 * </pre>
 */
@JCStressTest
@Outcome(id = "0, 2", expect = ACCEPTABLE, desc = "taken, then reset")
@Outcome(id = "1, 1", expect = ACCEPTABLE, desc = "reset, then taken anew")
@Outcome(id = "0, 1", expect = FORBIDDEN, desc = "seen on the old counter, charged to the new one")
@Outcome(id = "1, 2", expect = FORBIDDEN, desc = "charged to a counter that no search finds")
@Outcome(expect = FORBIDDEN, desc = "a false denial")
@State
public class TakeResetTest {
  private static final Limit TWO = Fixtures.perHour(2);
  private static final Claim CLAIM = Fixtures.claim(TWO, Fixtures.A);

  private final MemoryStore store = Fixtures.store();

  public TakeResetTest() {
    store.take(CLAIM);
  }

  @Actor
  public void take(II_Result result) {
    result.r1 = Fixtures.remainingOrDenied(store.take(CLAIM));
  }

  @Actor
  public void reset() {
    store.reset(List.of(CLAIM));
  }

  @Arbiter
  public void after(II_Result result) {
    result.r2 = Fixtures.peekRemaining(store, TWO, Fixtures.A);
  }
}
