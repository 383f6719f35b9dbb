package dev.weir.lease;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import dev.weir.Claim;
import dev.weir.Decision;
import dev.weir.Decision.Basis;
import dev.weir.Limit;
import dev.weir.LimitKey;
import dev.weir.Mode;
import java.time.Duration;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/**
 * A lease is given up while somebody uses it: each permit is spent, or comes out of it, once.
 *
 * <p>Spending takes no lock. Broken by: taking out what is left in two steps, or taking something
 * in that nobody will take out.
 */
public class LeaseTest {
  private static final Limit LIMIT = Limit.tokenBucket(1_000, Duration.ofHours(1));
  private static final Claim CLAIM = new Claim(LIMIT, new LimitKey(1, 2), 1, 0, Mode.leased());
  private static final Decision PAID = Decision.allowed(900, 0, Basis.COUNTED);
  private static final long MOST = 100;

  private LeaseTest() {}

  private static Lease holding(int permits) {
    Lease lease = new Lease(CLAIM, 0, 0);
    var unused = refill(lease, permits);
    return lease;
  }

  private static int refill(Lease lease, int permits) {
    return (int) lease.refill(permits, MOST, 0, PAID, 0, 0).permits();
  }

  /**
   * The last permit is spent.
   *
   * <pre>
   * 1, 0   spent, then given up
   * 0, 1   given up, then asked in vain
   * 1, 1   there twice
   * 0, 0   gone
   * </pre>
   */
  @JCStressTest
  @Outcome(id = "1, 0", expect = ACCEPTABLE, desc = "spent, then given up")
  @Outcome(id = "0, 1", expect = ACCEPTABLE, desc = "given up, then asked in vain")
  @Outcome(id = "1, 1", expect = FORBIDDEN, desc = "there twice")
  @Outcome(id = "0, 0", expect = FORBIDDEN, desc = "gone")
  @State
  public static class Spent {
    private final Lease lease = holding(1);

    @Actor
    public void spend(II_Result result) {
      result.r1 = lease.spend(1, 1) == null ? 0 : 1;
    }

    @Actor
    public void giveUp(II_Result result) {
      result.r2 = (int) lease.giveUp().permits();
    }
  }

  /**
   * A permit that was spent comes back, because the request did not pass.
   *
   * <pre>
   * 0, 1   it has room, then all is given up
   * 1, 0   given up, then it has no room
   * 0, 0   put where nobody will take it out
   * 1, 1   there twice
   * </pre>
   */
  @JCStressTest
  @Outcome(id = "0, 1", expect = ACCEPTABLE, desc = "taken in, then given up")
  @Outcome(id = "1, 0", expect = ACCEPTABLE, desc = "given up, then no room")
  @Outcome(id = "0, 0", expect = FORBIDDEN, desc = "gone")
  @Outcome(id = "1, 1", expect = FORBIDDEN, desc = "there twice")
  @State
  public static class Unspent {
    private final Lease lease = holding(1);

    public Unspent() {
      var unused = lease.spend(1, 1);
    }

    @Actor
    public void unspend(II_Result result) {
      result.r1 = (int) lease.unspend(1, 1, 2).permits();
    }

    @Actor
    public void giveUp(II_Result result) {
      result.r2 = (int) lease.giveUp().permits();
    }
  }

  /**
   * Four permits arrive that were asked for.
   *
   * <pre>
   * 0, 4   taken in, then given up
   * 4, 0   given up, then nobody wants them
   * 0, 0   put where nobody will take them out
   * </pre>
   */
  @JCStressTest
  @Outcome(id = "0, 4", expect = ACCEPTABLE, desc = "taken in, then given up")
  @Outcome(id = "4, 0", expect = ACCEPTABLE, desc = "given up, then nobody wants them")
  @Outcome(expect = FORBIDDEN, desc = "gone, or there twice")
  @State
  public static class Refilled {
    private final Lease lease = holding(0);

    @Actor
    public void refill(II_Result result) {
      result.r1 = LeaseTest.refill(lease, 4);
    }

    @Actor
    public void giveUp(II_Result result) {
      result.r2 = (int) lease.giveUp().permits();
    }
  }
}
