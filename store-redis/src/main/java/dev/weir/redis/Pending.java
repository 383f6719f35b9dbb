package dev.weir.redis;

import dev.weir.Algorithm;
import dev.weir.Answer;
import dev.weir.Claim;
import dev.weir.Decision;
import dev.weir.StoreFailure;
import dev.weir.StoreFailure.Effect;
import dev.weir.operation.CallerFuture;
import dev.weir.operation.Continuations;
import dev.weir.operation.Operation;
import java.util.BitSet;
import java.util.List;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/** One request on its way to Redis. */
class Pending extends CallerFuture {
  final Operation operation;
  final List<Claim> claims;
  final Deadline deadline;
  private final @Nullable Unclaimed grants;

  /** Whether it is for places in flight, too. */
  final boolean holds;

  /** For a caller who waits on after the deadline. */
  private @Nullable CallerFuture late;

  private boolean over;

  /** What Redis decided; it is there before anybody hears of it. */
  private volatile boolean granted;

  private volatile @Nullable BitSet renewed;

  /** One of the store's own, for which nobody else waits. */
  Pending(Operation operation, List<Claim> claims, Deadline deadline) {
    this(operation, claims, deadline, Continuations.DIRECT, null);
  }

  /**
   * @param continuations where the caller goes on
   * @param grants what becomes of a grant that nobody waits for; null if nothing does
   */
  Pending(
      Operation operation,
      List<Claim> claims,
      Deadline deadline,
      Executor continuations,
      @Nullable Unclaimed grants) {
    super(continuations);
    this.operation = operation;
    this.claims = claims;
    this.deadline = deadline;
    this.grants = operation == Operation.TAKE ? grants : null;
    this.holds = grants != null && holds(claims);
  }

  private static boolean holds(List<Claim> claims) {
    for (Claim claim : claims) {
      if (claim.limit().algorithm() == Algorithm.CONCURRENCY) {
        return true;
      }
    }
    return false;
  }

  /** Redis has decided. */
  final void decided(Decision decision) {
    decided(decision, null);
  }

  /**
   * The same.
   *
   * @param renewed the claims whose permits were held before by the same holder, if there are any
   */
  final void decided(Decision decision, @Nullable BitSet renewed) {
    this.renewed = renewed;
    this.granted = decision.allowed();
    if (settle(decision)) {
      return;
    }
    CallerFuture waiting = end();
    if (waiting != null) {
      waiting.settle(decision);
    } else if (grants != null) {
      grants.late(this);
    }
  }

  /** Redis has failed, or was not asked; there will be no decision. */
  final void ended(StoreFailure failure) {
    if (!fail(failure)) {
      CallerFuture waiting = end();
      if (waiting != null) {
        waiting.fail(failure);
      }
    }
    claimed();
  }

  /** Its deadline has passed. It was sent, so it may be decided all the same. */
  @Override
  public final void expire() {
    fail(StoreFailure.deadlineExceeded("Redis did not answer in time", this::awaitLate));
  }

  private synchronized Answer awaitLate() {
    if (over) {
      return Answer.failed(new StoreFailure(Effect.UNKNOWN, "Redis answered too late", null));
    }
    if (late == null) {
      late = new Late();
    }
    return late;
  }

  /** Whether Redis granted it. */
  final boolean isGranted() {
    return granted;
  }

  /** Whether the permit of a claim was held before by the same holder. */
  final boolean isRenewed(int claim) {
    BitSet known = renewed;
    return known != null && known.get(claim);
  }

  /** Nothing more comes of it; whoever waits for it all the same. */
  private synchronized @Nullable CallerFuture end() {
    over = true;
    return late;
  }

  /** What a caller has who waits on after the deadline. */
  private final class Late extends CallerFuture {
    Late() {
      super(Pending.this.executor());
    }

    @Override
    protected void claimed() {
      Pending.this.claimed();
    }

    @Override
    protected void unclaimed(Decision granted) {
      Pending.this.unclaimed(granted);
    }
  }

  /** Time is over, or the store is closed. What is out may be decided all the same. */
  final void givenUp(Effect effect, String why) {
    StoreFailure failure = new StoreFailure(effect, why, null);
    if (effect == Effect.NONE) {
      ended(failure);
    } else {
      fail(failure);
    }
  }

  @Override
  protected void claimed() {
    if (grants != null) {
      grants.over(this);
    }
  }

  @Override
  protected void unclaimed(Decision granted) {
    if (grants != null) {
      grants.cancelled(this);
    }
  }
}
