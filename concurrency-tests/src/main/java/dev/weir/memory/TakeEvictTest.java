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
 * A live row that makes room for a newcomer of another rule disturbs nobody else.
 *
 * <p>A store for four is full of one rule's counters: A, least used, and B and C behind it where
 * the search for all three begins. One thread takes for a newcomer of another rule, for which A is
 * dropped, so that B and C move up; the other takes from C. Broken by: a grant written to a row
 * that is being moved; a newcomer without room though its rule has less than its share.
 *
 * <pre>
 * newcomer, C, C after
 *    8,     6,   6      each is counted where it belongs
 *   any,    7,  any     C was charged to a row that was gone, or to one that all share
 *   any,    6,   7      C was granted and not counted
 * </pre>
 */
@JCStressTest
@Outcome(id = "8, 6, 6", expect = ACCEPTABLE, desc = "each is counted where it belongs")
@Outcome(expect = FORBIDDEN, desc = "somebody was charged elsewhere, or not at all")
@State
public class TakeEvictTest {
  private static final Limit FLOODED = Given.perHour(9).ofRule("flooded");
  private static final Limit OTHER = Given.perHour(9).ofRule("other");
  private static final Claim NEWCOMER = Given.claim(OTHER, new LimitKey(7, 7));

  private final MemoryStore store = new MemoryStore(4, () -> Given.NOW_MICROS);

  public TakeEvictTest() {
    store.take(Given.claim(FLOODED, Given.A, 1));
    store.take(Given.claim(FLOODED, Given.B, 2));
    store.take(Given.claim(FLOODED, Given.C, 2));
    store.take(Given.claim(FLOODED, new LimitKey(9, 9), 2));
  }

  @Actor
  public void newcomer(III_Result result) {
    result.r1 = Given.left(store.take(NEWCOMER));
  }

  @Actor
  public void take(III_Result result) {
    result.r2 = Given.left(store.take(Given.claim(FLOODED, Given.C)));
  }

  @Arbiter
  public void after(III_Result result) {
    result.r3 = Given.standing(store, FLOODED, Given.C);
  }
}
