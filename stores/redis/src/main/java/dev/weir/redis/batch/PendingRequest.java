package dev.weir.redis.batch;

import dev.weir.Algorithm;
import dev.weir.Answer;
import dev.weir.Claim;
import dev.weir.Decision;
import dev.weir.Operation;
import dev.weir.StoreFailure;
import dev.weir.StoreFailure.Effect;
import dev.weir.async.CallerFuture;
import dev.weir.async.Continuations;
import java.util.BitSet;
import java.util.List;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/** The future of one request to Redis. Thread-safe. */
public class PendingRequest extends CallerFuture {
  final Operation operation;
  final List<Claim> claims;
  final Deadline deadline;
  private final @Nullable UnclaimedGrants unclaimedGrants;

  /** Whether it is a take that includes concurrency permits. */
  final boolean takesHolds;

  /** The answer for a caller that goes on waiting after the deadline. */
  private @Nullable CallerFuture lateAnswer;

  /** Whether Redis has decided or failed, so that no late answer can come any more. */
  private boolean ended;

  /** What Redis decided; set before any caller can observe the decision. */
  private volatile boolean granted;

  private volatile @Nullable BitSet renewed;

  /** A request of the store itself, without a caller. */
  public PendingRequest(Operation operation, List<Claim> claims, Deadline deadline) {
    this(operation, claims, deadline, Continuations.DIRECT, null);
  }

  /**
   * A request of a caller.
   *
   * @param continuations runs the caller's continuations
   * @param unclaimedGrants returns a grant that no caller waits for; null to keep it
   */
  public PendingRequest(
      Operation operation,
      List<Claim> claims,
      Deadline deadline,
      Executor continuations,
      @Nullable UnclaimedGrants unclaimedGrants) {
    super(continuations);
    this.operation = operation;
    this.claims = claims;
    this.deadline = deadline;
    this.unclaimedGrants = operation == Operation.TAKE ? unclaimedGrants : null;
    this.takesHolds = unclaimedGrants != null && includesHolds(claims);
  }

  private static boolean includesHolds(List<Claim> claims) {
    for (Claim claim : claims) {
      if (claim.limit().algorithm() == Algorithm.CONCURRENCY) {
        return true;
      }
    }
    return false;
  }

  /** Called when Redis has decided. */
  final void onDecision(Decision decision) {
    onDecision(decision, null);
  }

  /**
   * Called when Redis has decided.
   *
   * @param renewed the indexes of claims whose permits the same holder held before; null for none
   */
  final void onDecision(Decision decision, @Nullable BitSet renewed) {
    this.renewed = renewed;
    this.granted = decision.allowed();
    if (settle(decision)) {
      return;
    }
    CallerFuture waiting = end();
    if (waiting != null) {
      waiting.settle(decision);
    } else if (unclaimedGrants != null) {
      unclaimedGrants.onLateDecision(this);
    }
  }

  /** Called when Redis has failed or the request was not sent: no decision will come. */
  final void onFailure(StoreFailure failure) {
    if (!fail(failure)) {
      CallerFuture waiting = end();
      if (waiting != null) {
        waiting.fail(failure);
      }
    }
    onDelivered();
  }

  /**
   * Fails the request because its deadline has passed. It was sent, so Redis may still decide it.
   */
  @Override
  public final void expire() {
    fail(StoreFailure.deadlineExceeded("Redis did not answer in time", this::awaitLate));
  }

  private synchronized Answer awaitLate() {
    if (ended) {
      return Answer.failed(new StoreFailure(Effect.UNKNOWN, "Redis answered too late", null));
    }
    if (lateAnswer == null) {
      lateAnswer = new LateAnswer();
    }
    return lateAnswer;
  }

  /** Whether Redis granted it. */
  final boolean isGranted() {
    return granted;
  }

  /** Whether the same holder held the permit of a claim before. */
  final boolean isRenewed(int claim) {
    BitSet known = renewed;
    return known != null && known.get(claim);
  }

  /** Marks it as ended, and returns the late answer that a caller waits for, if there is one. */
  private synchronized @Nullable CallerFuture end() {
    ended = true;
    return lateAnswer;
  }

  /** The answer for a caller that goes on waiting after the deadline. */
  private final class LateAnswer extends CallerFuture {
    LateAnswer() {
      super(PendingRequest.this.executor());
    }

    @Override
    protected void onDelivered() {
      PendingRequest.this.onDelivered();
    }

    @Override
    protected void onAbandoned(Decision granted) {
      PendingRequest.this.onAbandoned(granted);
    }
  }

  /**
   * Fails the request because its time is over or the store is closed.
   *
   * @param effect UNKNOWN if it was sent, so that Redis may still decide it
   */
  final void abandon(Effect effect, String reason) {
    StoreFailure failure = new StoreFailure(effect, reason, null);
    if (effect == Effect.NONE) {
      onFailure(failure);
    } else {
      fail(failure);
    }
  }

  @Override
  protected void onDelivered() {
    if (unclaimedGrants != null) {
      unclaimedGrants.onEnd(this);
    }
  }

  @Override
  protected void onAbandoned(Decision granted) {
    if (unclaimedGrants != null) {
      unclaimedGrants.onCancelledGrant(this);
    }
  }
}
