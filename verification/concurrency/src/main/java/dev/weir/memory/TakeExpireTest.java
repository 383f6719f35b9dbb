package dev.weir.memory;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import dev.weir.Claim;
import dev.weir.Limit;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;

/**
 * A take from a key that expires meanwhile is charged where the next take will look.
 *
 * <p>The key was used up an hour ago, so its counter has expired, and one permit is free. One
 * thread drops what has expired, then takes; the other takes. Broken by: a grant written to a row
 * that is being dropped; two rows for the key when it is created again.
 *
 * <pre>
 * trim then take, take, after
 *       0,        -1,    0    the one permit went to the first
 *      -1,         0,    0    or to the second
 *       0,         0,   any   granted twice: once on the expired row, once on the new one
 *      -1,        -1,   any   not granted at all
 * </pre>
 */
@JCStressTest
@Outcome(
    id = {"0, -1, 0", "-1, 0, 0"},
    expect = ACCEPTABLE,
    desc = "the one permit was granted once")
@Outcome(id = "0, 0, .*", expect = FORBIDDEN, desc = "granted twice")
@Outcome(id = "-1, -1, .*", expect = FORBIDDEN, desc = "not granted at all")
@Outcome(expect = FORBIDDEN, desc = "granted and not counted")
@State
public class TakeExpireTest {
  private static final Limit ONE = Fixtures.perHour(1);
  private static final Claim CLAIM = Fixtures.claim(ONE, Fixtures.A);

  private long nowMicros = Fixtures.NOW_MICROS - ONE.windowMicros();
  private final MemoryStore store = new MemoryStore(64, () -> nowMicros);

  public TakeExpireTest() {
    store.take(CLAIM);
    nowMicros = Fixtures.NOW_MICROS;
  }

  @Actor
  public void trimAndTake(III_Result result) {
    store.trim();
    result.r1 = Fixtures.remainingOrDenied(store.take(CLAIM));
  }

  @Actor
  public void take(III_Result result) {
    result.r2 = Fixtures.remainingOrDenied(store.take(CLAIM));
  }

  @Arbiter
  public void after(III_Result result) {
    result.r3 = Fixtures.peekRemaining(store, ONE, Fixtures.A);
  }
}
