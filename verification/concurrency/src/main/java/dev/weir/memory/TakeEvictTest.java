package dev.weir.memory;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import dev.weir.Claim;
import dev.weir.Limit;
import dev.weir.LimitKey;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;

/**
 * Evicting a live row for a new key of another rule does not disturb other keys.
 *
 * <p>A store for four is full of one rule's counters: A, least used, and B and C after it in the
 * same run. One thread takes for a new key of another rule, for which A is evicted, so that B and C
 * move up; the other takes from C. Broken by: a grant written to a row that is being moved; a new
 * key without room though its rule has less than its share.
 *
 * <pre>
 * newcomer, C, C after
 *    8,     6,   6      each is counted where it belongs
 *   any,    7,  any     C was charged to a removed row, or to the shared overflow
 *   any,    6,   7      C was granted and not counted
 * </pre>
 */
@JCStressTest
@Outcome(id = "8, 6, 6", expect = ACCEPTABLE, desc = "each is counted where it belongs")
@Outcome(expect = FORBIDDEN, desc = "a key was charged elsewhere, or not at all")
@State
public class TakeEvictTest {
  private static final Limit FLOODED = Fixtures.perHour(9).ofRule("flooded");
  private static final Limit OTHER = Fixtures.perHour(9).ofRule("other");
  private static final Claim NEWCOMER = Fixtures.claim(OTHER, new LimitKey(7, 7));

  private final MemoryStore store = new MemoryStore(4, () -> Fixtures.NOW_MICROS);

  public TakeEvictTest() {
    store.take(Fixtures.claim(FLOODED, Fixtures.A, 1));
    store.take(Fixtures.claim(FLOODED, Fixtures.B, 2));
    store.take(Fixtures.claim(FLOODED, Fixtures.C, 2));
    store.take(Fixtures.claim(FLOODED, new LimitKey(9, 9), 2));
  }

  @Actor
  public void newcomer(III_Result result) {
    result.r1 = Fixtures.remainingOrDenied(store.take(NEWCOMER));
  }

  @Actor
  public void take(III_Result result) {
    result.r2 = Fixtures.remainingOrDenied(store.take(Fixtures.claim(FLOODED, Fixtures.C)));
  }

  @Arbiter
  public void after(III_Result result) {
    result.r3 = Fixtures.peekRemaining(store, FLOODED, Fixtures.C);
  }
}
