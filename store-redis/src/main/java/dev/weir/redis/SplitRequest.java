package dev.weir.redis;

import dev.weir.Claim;
import dev.weir.Decision;
import dev.weir.redis.Link.Place;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A request whose claims are in several slots of a cluster, of which each call can reach one.
 *
 * <p>Slots are taken one after the other, in the order of their numbers. If one denies, what was
 * taken before is given back, and those after it are only looked at. Between the first and the last
 * call others may see what was taken, and a process that dies there leaves it taken: at most the
 * cost of one request in each slot.
 */
final class SplitRequest {
  private final RedisStore store;
  private final Operation operation;
  private final List<Claim> claims;
  private final List<Part> parts = new ArrayList<>();
  private final Pending answer;
  private boolean denied;

  /** The claims in one slot, and where they stand in the request. */
  private static final class Part {
    final Place place;
    final List<Claim> claims = new ArrayList<>();
    final List<Integer> indexes = new ArrayList<>();
    List<Decision> each = List.of();

    Part(Place place) {
      this.place = place;
    }
  }

  private SplitRequest(RedisStore store, Operation operation, List<Claim> claims) {
    this.store = store;
    this.operation = operation;
    this.claims = claims;
    this.answer = new Pending(operation, claims, 0);
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
    request.part(0);
    return request.answer;
  }

  private void part(int index) {
    if (index == parts.size()) {
      finish();
      return;
    }
    Part part = parts.get(index);
    Operation now = denied ? Operation.LOOK : operation;
    then(
        store.ask(now, part.claims, part.place),
        decision -> {
          part.each = decision.each();
          denied |= operation == Operation.TAKE && !decision.allowed();
          if (denied && now == Operation.TAKE) {
            giveBack(index - 1, () -> part(index + 1));
          } else {
            part(index + 1);
          }
        },
        index);
  }

  /** Gives back what the parts up to this one have taken, the last first. */
  private void giveBack(int index, Runnable after) {
    if (index < 0) {
      after.run();
      return;
    }
    Part part = parts.get(index);
    then(
        store.ask(Operation.REFUND, part.claims, part.place),
        decision -> {
          List<Decision> standing = decision.each();
          List<Decision> unspent = new ArrayList<>();
          for (int i = 0; i < part.each.size(); i++) {
            unspent.add(part.each.get(i).unspent(standing.get(i)));
          }
          part.each = unspent;
          giveBack(index - 1, after);
        },
        -1);
  }

  /**
   * @param taken how many parts before this one are to be given back if it fails
   */
  private void then(CompletionStage<Decision> stage, Consumer<Decision> next, int taken) {
    var unused =
        stage.whenComplete(
            (decision, failure) -> {
              if (failure == null) {
                next.accept(decision);
                return;
              }
              if (operation == Operation.TAKE && !denied) {
                for (int i = 0; i < taken; i++) {
                  var unusedRefund =
                      store.ask(Operation.REFUND, parts.get(i).claims, parts.get(i).place);
                }
              }
              answer.completeExceptionally(Failures.cause(failure));
            });
  }

  private void finish() {
    @Nullable Decision[] each = new Decision[claims.size()];
    for (Part part : parts) {
      for (int i = 0; i < part.indexes.size(); i++) {
        each[part.indexes.get(i)] = part.each.get(i);
      }
    }
    answer.complete(Decision.of(List.of(each)));
  }
}
