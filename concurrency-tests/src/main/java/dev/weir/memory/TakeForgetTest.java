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
 * A take is counted before a key is forgotten, or after it on a new counter; it is not lost
 * between.
 *
 * <p>One of two permits is spent. Broken by: a take that writes to a row after it died, or a
 * removal that does not end the row it removes.
 *
 * <pre>
 * take, after
 *  0,    2     taken, then all forgotten
 *  1,    1     forgotten, then taken anew
 *  0,    1     the take saw the old counter and was charged to the new one
 *  1,    2     the take saw the new counter and was charged to none
 * </pre>
 */
@JCStressTest
@Outcome(id = "0, 2", expect = ACCEPTABLE, desc = "taken, then forgotten")
@Outcome(id = "1, 1", expect = ACCEPTABLE, desc = "forgotten, then taken anew")
@Outcome(id = "0, 1", expect = FORBIDDEN, desc = "seen on the old counter, charged to the new one")
@Outcome(id = "1, 2", expect = FORBIDDEN, desc = "charged to a counter nobody finds")
@Outcome(expect = FORBIDDEN, desc = "a false denial")
@State
public class TakeForgetTest {
  private static final Limit TWO = Given.perHour(2);
  private static final Claim CLAIM = Given.claim(TWO, Given.A);

  private final MemoryStore store = Given.store();

  public TakeForgetTest() {
    store.take(CLAIM);
  }

  @Actor
  public void take(II_Result result) {
    result.r1 = Given.left(store.take(CLAIM));
  }

  @Actor
  public void forget() {
    store.forget(List.of(CLAIM));
  }

  @Arbiter
  public void after(II_Result result) {
    result.r2 = Given.standing(store, TWO, Given.A);
  }
}
