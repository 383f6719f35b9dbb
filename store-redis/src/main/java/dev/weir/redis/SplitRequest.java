package dev.weir.redis;

import dev.weir.Claim;
import dev.weir.Decision;
import dev.weir.LimitKey;
import dev.weir.StoreFailure;
import dev.weir.StoreFailure.Effect;
import dev.weir.operation.Operation;
import dev.weir.redis.Link.Place;
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
 * A request whose claims are in several slots of a cluster, of which each call can reach one.
 *
 * <p>First all slots are looked at, at once: a request for which one of them has no room is denied,
 * and leaves no trace. Then slots are taken one after the other, in the order of their numbers. If
 * one denies after all, because somebody else was quicker, what was taken before is given back, and
 * those after it are only looked at. Between the first and the last call others may see what was
 * taken, and a process that dies there leaves it taken: at most the cost of one request in each
 * slot. A concurrency permit that such a request renewed is given back with the rest.
 *
 * <p>If a part fails, what was taken before it is given back too; the effect is NONE only if all of
 * that is certain. One deadline holds for all parts together.
 */
final class SplitRequest {
  private final RedisStore store;
  private final Operation operation;
  private final List<Claim> claims;
  private final List<Part> parts = new ArrayList<>();
  private final Pending answer;
  private boolean denied;

  /** How many of the parts, from the first, are taken and not given back. */
  private int taken;

  /** Whether something may stay charged though the request is not granted. */
  private boolean charged;

  private final AtomicReference<Phase> phase = new AtomicReference<>(Phase.LOOKING);

  /**
   * Until the first call that may charge is sent, a request that runs out of time costs nothing.
   */
  private enum Phase {
    LOOKING,
    CHANGING,
    TIMED_OUT
  }

  /** The claims in one slot, and where they stand in the request. */
  private static final class Part {
    final Place place;
    final List<Claim> claims = new ArrayList<>();
    final List<Integer> indexes = new ArrayList<>();
    List<Decision> each = List.of();
    volatile @Nullable Pending asked;

    Part(Place place) {
      this.place = place;
    }
  }

  private SplitRequest(RedisStore store, Operation operation, List<Claim> claims) {
    this.store = store;
    this.operation = operation;
    this.claims = claims;
    this.answer =
        new Pending(operation, claims, store.deadline(), store.continuations(), null) {
          @Override
          protected void unclaimed(Decision granted) {
            giveBack(() -> {}); // the caller has cancelled
          }
        };
    Map<Integer, Part> bySlot = new TreeMap<>();
    for (int i = 0; i < claims.size(); i++) {
      Place place = store.place(claims.get(i));
      Part part = bySlot.computeIfAbsent(place.slot(), absent -> new Part(place));
      part.claims.add(claims.get(i));
      part.indexes.add(i);
    }
    parts.addAll(bySlot.values());
  }

  static Pending ask(RedisStore store, Operation operation, List<Claim> claims) {
    SplitRequest request = new SplitRequest(store, operation, claims);
    store.limit(request.answer, request::timedOut);
    if (operation == Operation.TAKE || operation == Operation.LOOK) {
      request.look();
    } else {
      request.part(0);
    }
    return request.answer;
  }

  private Pending ask(Operation now, Part part) {
    Pending asked = store.ask(now, part.claims, part.place);
    part.asked = asked;
    return asked;
  }

  /** The server that has not answered, or has failed. */
  private @Nullable String blamed() {
    for (Part part : parts) {
      Pending asked = part.asked;
      if (asked != null && (!asked.isDone() || asked.isCompletedExceptionally())) {
        return part.place.server();
      }
    }
    return null;
  }

  private StoreFailure timedOut() {
    boolean unspent = phase.compareAndSet(Phase.LOOKING, Phase.TIMED_OUT);
    Effect effect = unspent ? Effect.NONE : Effect.UNKNOWN;
    return new StoreFailure(effect, blamed(), "Redis did not answer in time", null);
  }

  /** Whether a call that may charge can be sent: never after a timeout that promised no charge. */
  private boolean mayChange() {
    return phase.compareAndSet(Phase.LOOKING, Phase.CHANGING) || phase.get() == Phase.CHANGING;
  }

  private void look() {
    List<Pending> looks = new ArrayList<>();
    for (Part part : parts) {
      looks.add(ask(Operation.LOOK, part));
    }
    var unused =
        CompletableFuture.allOf(looks.toArray(Pending[]::new))
            .whenComplete(
                (done, failure) -> {
                  if (failure != null) {
                    fail(Failures.of(StoreFailure.cause(failure)));
                    return;
                  }
                  boolean room = true;
                  for (int i = 0; i < parts.size(); i++) {
                    Decision decision = looks.get(i).join();
                    parts.get(i).each = decision.each();
                    room &= decision.allowed();
                  }
                  if (room && operation == Operation.TAKE) {
                    part(0);
                  } else {
                    finish();
                  }
                });
  }

  private void part(int index) {
    boolean unused = operation == Operation.TAKE && !answer.isAwaited();
    if (unused || !mayChange()) {
      giveBack(() -> {});
      return;
    }
    if (index == parts.size()) {
      finish();
      return;
    }
    Part part = parts.get(index);
    Operation now = denied ? Operation.LOOK : operation;
    var ignored =
        ask(now, part)
            .whenComplete(
                (decision, failure) -> {
                  if (failure != null) {
                    failed(now, index, Failures.of(StoreFailure.cause(failure)));
                    return;
                  }
                  part.each = decision.each();
                  if (now == Operation.TAKE && !decision.allowed()) {
                    denied = true;
                    giveBack(() -> part(index + 1));
                  } else {
                    taken += now == Operation.TAKE ? 1 : 0;
                    part(index + 1);
                  }
                });
  }

  /** A part was not answered: what was taken before it is given back, and the request fails. */
  private void failed(Operation asked, int index, StoreFailure failure) {
    if (asked != Operation.LOOK) {
      boolean others = index > 0 && asked != Operation.TAKE;
      charged |= others || failure.effect() == Effect.UNKNOWN;
    }
    giveBack(() -> fail(failure));
  }

  private void fail(StoreFailure failure) {
    Effect effect = charged ? Effect.UNKNOWN : Effect.NONE;
    answer.fail(new StoreFailure(effect, blamed(), String.valueOf(failure.getMessage()), failure));
  }

  /** Gives back what was taken, the last first, as far as it can. */
  private void giveBack(Runnable after) {
    if (taken == 0) {
      after.run();
      return;
    }
    taken--;
    Part part = parts.get(taken);
    var unused =
        ask(Operation.REFUND, part)
            .whenComplete(
                (decision, failure) -> {
                  if (failure != null) {
                    charged = true;
                    giveBack(() -> fail(Failures.of(StoreFailure.cause(failure))));
                    return;
                  }
                  part.each = unspent(part, decision.each());
                  giveBack(after);
                });
  }

  /** What a part was told, but with what is left now that it has been given back. */
  private static List<Decision> unspent(Part part, List<Decision> refunded) {
    // Only the last refund of a counter tells how it stands.
    Map<LimitKey, Decision> standing = new HashMap<>();
    for (int i = 0; i < part.claims.size(); i++) {
      standing.put(part.claims.get(i).key(), refunded.get(i));
    }
    List<Decision> unspent = new ArrayList<>();
    for (int i = 0; i < part.claims.size(); i++) {
      Decision stands = Objects.requireNonNull(standing.get(part.claims.get(i).key()));
      unspent.add(part.each.get(i).unspent(stands));
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
    if (!answer.settle(Decision.of(List.of(each)))) {
      giveBack(() -> {});
    }
  }
}
