package dev.weir.shared.lease;

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
 * A lease is given up while it is in use: each permit is spent, or taken out, exactly once.
 *
 * <p>Spending takes no lock. Broken by: taking out the rest in two steps, or accepting permits that
 * are never taken out.
 */
public class LeaseTest {
  private static final Limit LIMIT = Limit.tokenBucket(1_000, Duration.ofHours(1));
  private static final Claim CLAIM = new Claim(LIMIT, new LimitKey(1, 2), 1, 0, Mode.leased());
  private static final Decision PAID = Decision.allowed(900, 0, Basis.COUNTED);
  private static final long MAX_PERMITS = 100;

  private LeaseTest() {}

  private static Lease holding(int permits) {
    Lease lease = new Lease(CLAIM, 0, 0);
    var unused = refill(lease, permits);
    return lease;
  }

  private static int refill(Lease lease, int permits) {
    return (int) lease.refill(permits, MAX_PERMITS, 0, PAID, 0, 0).permits();
  }

  /**
   * The last permit is spent.
   *
   * <pre>
   * 1, 0   spent, then given up
   * 0, 1   given up, then nothing to spend
   * 1, 1   exists twice
   * 0, 0   lost
   * </pre>
   */
  @JCStressTest
  @Outcome(id = "1, 0", expect = ACCEPTABLE, desc = "spent, then given up")
  @Outcome(id = "0, 1", expect = ACCEPTABLE, desc = "given up, then nothing to spend")
  @Outcome(id = "1, 1", expect = FORBIDDEN, desc = "exists twice")
  @Outcome(id = "0, 0", expect = FORBIDDEN, desc = "lost")
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
   * 0, 1   accepted, then given up
   * 1, 0   given up, then not accepted
   * 0, 0   accepted and never taken out
   * 1, 1   exists twice
   * </pre>
   */
  @JCStressTest
  @Outcome(id = "0, 1", expect = ACCEPTABLE, desc = "accepted, then given up")
  @Outcome(id = "1, 0", expect = ACCEPTABLE, desc = "given up, then not accepted")
  @Outcome(id = "0, 0", expect = FORBIDDEN, desc = "lost")
  @Outcome(id = "1, 1", expect = FORBIDDEN, desc = "exists twice")
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
   * A refill of four permits arrives.
   *
   * <pre>
   * 0, 4   accepted, then given up
   * 4, 0   given up, then not accepted
   * 0, 0   accepted and never taken out
   * </pre>
   */
  @JCStressTest
  @Outcome(id = "0, 4", expect = ACCEPTABLE, desc = "accepted, then given up")
  @Outcome(id = "4, 0", expect = ACCEPTABLE, desc = "given up, then not accepted")
  @Outcome(expect = FORBIDDEN, desc = "lost, or exists twice")
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
