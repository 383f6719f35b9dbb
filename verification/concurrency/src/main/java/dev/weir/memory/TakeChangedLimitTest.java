package dev.weir.memory;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import dev.weir.Limit;
import java.time.Duration;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;

/**
 * Two threads that count one key by different limits still count in sequence.
 *
 * <p>While configuration is replaced, some requests come with the old limit and some with the new
 * one. Two of four permits are spent under the old one, a bucket; the new one has ten per window.
 * Spent permits are carried over each time the limit changes. Broken by: a state read as if written
 * under the other limit (units of a bucket taken for permits of a window), or a limit and a state
 * that are not replaced together.
 *
 * <pre>
 * old, new, after (by new)
 *  1,   6,    6    old first: 3 of 4, then 4 of 10
 *  0,   7,    6    new first: 3 of 10, then 4 of 4
 * anything else    a state was read in the units of the other limit, or a take was lost
 * </pre>
 */
@JCStressTest
@Outcome(id = "1, 6, 6", expect = ACCEPTABLE, desc = "old first")
@Outcome(id = "0, 7, 6", expect = ACCEPTABLE, desc = "new first")
@Outcome(expect = FORBIDDEN, desc = "a state read in the wrong units, or a take lost")
@State
public class TakeChangedLimitTest {
  private static final Limit OLD = Limit.tokenBucket(4, Duration.ofHours(1));
  private static final Limit NEW = Fixtures.perHour(10);

  private final MemoryStore store = Fixtures.store();

  public TakeChangedLimitTest() {
    store.take(Fixtures.claim(OLD, Fixtures.A, 2));
  }

  @Actor
  public void byOld(III_Result result) {
    result.r1 = Fixtures.remainingOrDenied(store.take(Fixtures.claim(OLD, Fixtures.A)));
  }

  @Actor
  public void byNew(III_Result result) {
    result.r2 = Fixtures.remainingOrDenied(store.take(Fixtures.claim(NEW, Fixtures.A)));
  }

  @Arbiter
  public void after(III_Result result) {
    result.r3 = Fixtures.peekRemaining(store, NEW, Fixtures.A);
  }
}
