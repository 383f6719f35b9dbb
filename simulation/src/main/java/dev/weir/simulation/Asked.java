package dev.weir.simulation;

import dev.weir.Answer;
import dev.weir.Claim;
import dev.weir.Decision;
import dev.weir.Store;
import dev.weir.StoreFailure;
import dev.weir.StoreFailure.Effect;
import dev.weir.operation.Operation;
import dev.weir.simulation.Lending.Answered;
import dev.weir.simulation.Message.Purpose;
import java.util.ArrayList;
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
    Call call = new Call(Operation.TAKE, claims);
    if (purpose != Purpose.REFILL) {
      return send(call, claims);
    }
    Holding holding = audit.holding(node, claims.get(0));
    long cost = claims.get(0).cost();
    audit.lending.refilling(node, holding, cost);
    return told(
        send(call, claims),
        (decision, failure) ->
            audit.lending.refilled(node, holding, call.message, cost, answered(decision, failure)));
  }

  @Override
  public Answer look(List<Claim> claims) {
    return store.look(claims);
  }

  @Override
  public Answer refund(List<Claim> claims) {
    Call call = new Call(Operation.REFUND, claims);
    if (audit.purposeOfRefund(claims) != Purpose.RETURN) {
      return send(call, claims);
    }
    Holding holding = audit.holding(node, claims.get(0));
    long cost = claims.get(0).cost();
    audit.lending.returning(holding, cost);
    return told(
        send(call, claims),
        (decision, failure) ->
            audit.lending.returnEnded(holding, call.message, cost, answered(decision, failure)));
  }

  @Override
  public Answer charge(List<Claim> claims) {
    List<Charge> charges = new ArrayList<>();
    for (Claim claim : claims) {
      Holding holding = audit.holding(node, claim);
      Books.charging(audit, node, holding, claim.cost());
      charges.add(new Charge(holding, claim.cost()));
    }
    return told(
        send(new Call(Operation.CHARGE, claims), claims),
        (decision, failure) -> charges.forEach(one -> charged(one, answered(decision, failure))));
  }

  private record Charge(Holding holding, long cost) {}

  private void charged(Charge charge, Answered answered) {
    Holding holding = charge.holding;
    switch (answered) {
      case GRANTED -> holding.chargesTold += charge.cost;
      case UNKNOWN -> holding.chargesUnknown += charge.cost;
      case NOT ->
          holding.debt.add(
              node.wall.micros(), charge.cost, node.census.part(holding.account.limit));
    }
  }

  @Override
  public Answer forget(List<Claim> claims) {
    return store.forget(claims);
  }

  private Answer send(Call call, List<Claim> claims) {
    return audit.during(call, () -> call.operation.on(store, claims));
  }

  private interface Outcome {
    void come(@Nullable Decision decision, @Nullable Throwable failure);
  }

  private static Answer told(Answer answer, Outcome outcome) {
    return Answer.later(answer.stage().whenComplete(outcome::come));
  }

  private static Answered answered(@Nullable Decision decision, @Nullable Throwable thrown) {
    if (decision != null) {
      return decision.allowed() ? Answered.GRANTED : Answered.NOT;
    }
    Throwable cause = thrown instanceof CompletionException ? thrown.getCause() : thrown;
    boolean undone = cause instanceof StoreFailure failure && failure.effect() == Effect.NONE;
    return undone ? Answered.NOT : Answered.UNKNOWN;
  }
}
