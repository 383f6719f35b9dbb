package dev.weir.redis;

import dev.weir.Claim;
import dev.weir.Decision;
import dev.weir.LimitKey;
import dev.weir.Operation;
import dev.weir.StoreFailure;
import dev.weir.StoreFailure.Effect;
import dev.weir.redis.batch.PendingRequest;
import dev.weir.redis.connection.Link.NodeSlot;
import dev.weir.redis.connection.RedisFailures;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * A request whose claims are in several slots of a cluster; one call can reach only one slot.
 *
 * <p>First the request peeks at all slots in parallel: if one of them has no room, it is denied and
 * leaves no trace. Then it takes from the slots one after the other, in the order of their numbers.
 * If a slot denies after all, because another request was quicker, the takes before it are
 * refunded, and the slots after it are only peeked at. Between the first and the last call other
 * requests may see the takes, and if this process dies in between they stay: at most the cost of
 * one request in each slot. A concurrency permit that such a request renewed is refunded with the
 * rest.
 *
 * <p>If a part fails, the takes before it are refunded too; the effect is NONE only if all of that
 * is certain. One deadline applies to all parts together.
 *
 * <p>Steps follow one another, so most fields need no lock; the timer thread reads only {@link
 * #phase} and the pending parts.
 */
final class SplitRequest {
  private final RedisStore store;
  private final Operation operation;
  private final List<Claim> claims;
  private final List<Part> parts = new ArrayList<>();
  private final PendingRequest result;
  private boolean denied;

  /** The number of parts, from the first, that are taken and not refunded. */
  private int taken;

  /** Whether a charge may remain though the request is not granted. */
  private boolean maybeCharged;

  private final AtomicReference<Phase> phase = new AtomicReference<>(Phase.PEEKING);

  /** A request that times out before the first call that may charge is sent costs nothing. */
  private enum Phase {
    PEEKING,
    MODIFYING,
    TIMED_OUT
  }

  /** The claims in one slot, and their indexes in the request. */
  private static final class Part {
    final NodeSlot nodeSlot;
    final List<Claim> claims = new ArrayList<>();
    final List<Integer> indexes = new ArrayList<>();
    List<Decision> each = List.of();
    volatile @Nullable PendingRequest pending;

    Part(NodeSlot nodeSlot) {
      this.nodeSlot = nodeSlot;
    }
  }

  private SplitRequest(RedisStore store, Operation operation, List<Claim> claims) {
    this.store = store;
    this.operation = operation;
    this.claims = claims;
    this.result =
        new PendingRequest(operation, claims, store.deadline(), store.continuations(), null) {
          @Override
          protected void onAbandoned(Decision granted) {
            refundTaken(() -> {}); // the caller has cancelled
          }
        };
    Map<Integer, Part> bySlot = new TreeMap<>();
    for (int i = 0; i < claims.size(); i++) {
      NodeSlot nodeSlot = store.nodeSlot(claims.get(i));
      Part part = bySlot.computeIfAbsent(nodeSlot.slot(), absent -> new Part(nodeSlot));
      part.claims.add(claims.get(i));
      part.indexes.add(i);
    }
    parts.addAll(bySlot.values());
  }

  /** Sends a request with claims in several slots. */
  static PendingRequest submit(RedisStore store, Operation operation, List<Claim> claims) {
    SplitRequest request = new SplitRequest(store, operation, claims);
    store.failAtDeadline(request.result, request::onTimeout);
    if (operation == Operation.TAKE || operation == Operation.PEEK) {
      request.peekAll();
    } else {
      request.applyFrom(0);
    }
    return request.result;
  }

  private PendingRequest submit(Operation partOperation, Part part) {
    PendingRequest pending = store.submit(partOperation, part.claims, part.nodeSlot);
    part.pending = pending;
    return pending;
  }

  /** The node that has not answered, or has failed. */
  private @Nullable String failedNode() {
    for (Part part : parts) {
      PendingRequest pending = part.pending;
      if (pending != null && (!pending.isDone() || pending.isCompletedExceptionally())) {
        return part.nodeSlot.node();
      }
    }
    return null;
  }

  private StoreFailure onTimeout() {
    boolean unspent = phase.compareAndSet(Phase.PEEKING, Phase.TIMED_OUT);
    Effect effect = unspent ? Effect.NONE : Effect.UNKNOWN;
    return new StoreFailure(effect, failedNode(), "Redis did not answer in time", null);
  }

  /** Whether a call that may charge can be sent: never after a timeout that reported no charge. */
  private boolean mayModify() {
    return phase.compareAndSet(Phase.PEEKING, Phase.MODIFYING) || phase.get() == Phase.MODIFYING;
  }

  private void peekAll() {
    List<PendingRequest> peeks = new ArrayList<>();
    for (Part part : parts) {
      peeks.add(submit(Operation.PEEK, part));
    }
    var unused =
        CompletableFuture.allOf(peeks.toArray(PendingRequest[]::new))
            .whenComplete(
                (done, failure) -> {
                  if (failure != null) {
                    fail(RedisFailures.of(StoreFailure.cause(failure)));
                    return;
                  }
                  boolean hasRoom = true;
                  for (int i = 0; i < parts.size(); i++) {
                    Decision decision = peeks.get(i).join();
                    parts.get(i).each = decision.each();
                    hasRoom &= decision.allowed();
                  }
                  if (hasRoom && operation == Operation.TAKE) {
                    applyFrom(0);
                  } else {
                    finish();
                  }
                });
  }

  /** Applies the operation to the part at an index, and to those after it. */
  private void applyFrom(int index) {
    boolean unwanted = operation == Operation.TAKE && !result.isAwaited();
    if (unwanted || !mayModify()) {
      refundTaken(() -> {});
      return;
    }
    if (index == parts.size()) {
      finish();
      return;
    }
    Part part = parts.get(index);
    Operation partOperation = denied ? Operation.PEEK : operation;
    var unused =
        submit(partOperation, part)
            .whenComplete(
                (decision, failure) -> {
                  if (failure != null) {
                    onPartFailure(
                        partOperation, index, RedisFailures.of(StoreFailure.cause(failure)));
                    return;
                  }
                  part.each = decision.each();
                  if (partOperation == Operation.TAKE && !decision.allowed()) {
                    denied = true;
                    refundTaken(() -> applyFrom(index + 1));
                  } else {
                    taken += partOperation == Operation.TAKE ? 1 : 0;
                    applyFrom(index + 1);
                  }
                });
  }

  /** Refunds the takes before a part that failed, and fails the request. */
  private void onPartFailure(Operation partOperation, int index, StoreFailure failure) {
    if (partOperation != Operation.PEEK) {
      boolean othersDone = index > 0 && partOperation != Operation.TAKE;
      maybeCharged |= othersDone || failure.effect() == Effect.UNKNOWN;
    }
    refundTaken(() -> fail(failure));
  }

  private void fail(StoreFailure failure) {
    Effect effect = maybeCharged ? Effect.UNKNOWN : Effect.NONE;
    result.fail(
        new StoreFailure(effect, failedNode(), String.valueOf(failure.getMessage()), failure));
  }

  /** Refunds all takes, the last first, as far as possible; then runs {@code after}. */
  private void refundTaken(Runnable after) {
    if (taken == 0) {
      after.run();
      return;
    }
    taken--;
    Part part = parts.get(taken);
    var unused =
        submit(Operation.REFUND, part)
            .whenComplete(
                (decision, failure) -> {
                  if (failure != null) {
                    maybeCharged = true;
                    refundTaken(() -> fail(RedisFailures.of(StoreFailure.cause(failure))));
                    return;
                  }
                  part.each = unspent(part, decision.each());
                  refundTaken(after);
                });
  }

  /** The decisions of a part, with what is left now that the part has been refunded. */
  private static List<Decision> unspent(Part part, List<Decision> refunded) {
    // Only the last refund of a counter has its final state.
    Map<LimitKey, Decision> states = new HashMap<>();
    for (int i = 0; i < part.claims.size(); i++) {
      states.put(part.claims.get(i).key(), refunded.get(i));
    }
    List<Decision> unspent = new ArrayList<>();
    for (int i = 0; i < part.claims.size(); i++) {
      Decision state = Objects.requireNonNull(states.get(part.claims.get(i).key()));
      unspent.add(part.each.get(i).withRemainingOf(state));
    }
    return unspent;
  }

  private void finish() {
    @Nullable Decision[] each = new Decision[claims.size()];
    for (Part part : parts) {
      for (int i = 0; i < part.indexes.size(); i++) {
        each[part.indexes.get(i)] = part.each.get(i);
      }
    }
    if (!result.settle(Decision.of(List.of(each)))) {
      refundTaken(() -> {});
    }
  }
}
