package dev.weir.simulation;

import dev.weir.Answer;
import dev.weir.Claim;
import dev.weir.Decision;
import dev.weir.Store;
import dev.weir.StoreFailure;
import dev.weir.StoreFailure.Effect;
import dev.weir.simulation.Message.Purpose;
import java.util.List;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;

/** Notes what a server asks of its store and what it is told, before anything can go wrong. */
final class Asked implements Store {
  private final Store store;
  private final Node node;
  private final Audit audit;

  Asked(Store store, Node node, Audit audit) {
    this.store = store;
    this.node = node;
    this.audit = audit;
  }

  @Override
  public Answer take(List<Claim> claims) {
    Purpose purpose = audit.purposeOfTake(claims);
    if (purpose == Purpose.QUESTION) {
      audit.questioned();
    }
    each(claims, (holding, cost) -> holding.askedTake += cost);
    if (purpose != Purpose.REFILL) {
      return store.take(claims);
    }
    Holding holding = audit.holding(node, claims.get(0));
    long cost = claims.get(0).cost();
    audit.refilling(node, holding, cost);
    Answer answer = store.take(claims);
    return told(
        answer,
        (decision, failure) -> {
          holding.awaiting = false;
          if (decision != null && decision.allowed()) {
            holding.refillsTold += cost;
          } else if (isUnknown(decision, failure)) {
            holding.refillsUnknown += cost;
          }
        });
  }

  @Override
  public Answer look(List<Claim> claims) {
    return store.look(claims);
  }

  @Override
  public Answer refund(List<Claim> claims) {
    each(claims, (holding, cost) -> holding.askedRefund += cost);
    if (audit.purposeOfRefund(claims) != Purpose.RETURN) {
      return store.refund(claims);
    }
    Holding holding = audit.holding(node, claims.get(0));
    long cost = claims.get(0).cost();
    audit.returning(holding, cost);
    return told(
        store.refund(claims),
        (decision, failure) -> {
          holding.returnsTold += decision == null ? 0 : cost;
          if (decision == null && !isUnknown(decision, failure)) {
            audit.returned(holding, cost);
          }
        });
  }

  @Override
  public Answer charge(List<Claim> claims) {
    each(
        claims,
        (holding, cost) -> {
          holding.askedCharge += cost;
          audit.charging(node, holding, cost);
        });
    return told(
        store.charge(claims),
        (decision, failure) ->
            each(
                claims,
                (holding, cost) -> {
                  holding.chargesTold += decision == null ? 0 : cost;
                  boolean unknown = isUnknown(decision, failure);
                  holding.chargesUnknown += unknown ? cost : 0;
                  holding.chargesUndone |= decision == null && !unknown;
                }));
  }

  @Override
  public Answer forget(List<Claim> claims) {
    return store.forget(claims);
  }

  private interface Change {
    void to(Holding holding, long cost);
  }

  private void each(List<Claim> claims, Change change) {
    for (Claim claim : claims) {
      change.to(audit.holding(node, claim), claim.cost());
    }
  }

  private interface Outcome {
    void come(@Nullable Decision decision, @Nullable Throwable failure);
  }

  private static Answer told(Answer answer, Outcome outcome) {
    return Answer.later(answer.stage().whenComplete(outcome::come));
  }

  private static boolean isUnknown(@Nullable Decision decision, @Nullable Throwable thrown) {
    Throwable cause = thrown instanceof CompletionException ? thrown.getCause() : thrown;
    return decision == null
        && !(cause instanceof StoreFailure failure && failure.effect() == Effect.NONE);
  }
}
