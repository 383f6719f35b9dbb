package dev.weir.simulation.audit;

import dev.weir.Answer;
import dev.weir.Claim;
import dev.weir.Decision;
import dev.weir.Operation;
import dev.weir.Store;
import dev.weir.StoreFailure;
import dev.weir.StoreFailure.Effect;
import dev.weir.simulation.exchange.AuditedServer;
import dev.weir.simulation.exchange.StoreCall;
import dev.weir.simulation.exchange.StoreCall.Result;
import dev.weir.simulation.exchange.StoreMessage.Purpose;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;

/** Records the calls of a server to its store and their results, before the network is involved. */
public final class RecordingStore implements Store {
  private final Store store;
  private final AuditedServer server;
  private final Audit audit;

  /** Wraps the store of a server. */
  public RecordingStore(Store store, AuditedServer server, Audit audit) {
    this.store = store;
    this.server = server;
    this.audit = audit;
  }

  @Override
  public Answer apply(Operation operation, List<Claim> claims) {
    return switch (operation) {
      case TAKE -> take(claims);
      case PEEK -> peek(claims);
      case REFUND -> refund(claims);
      case CHARGE -> charge(claims);
      case RESET -> reset(claims);
    };
  }

  @Override
  public Answer take(List<Claim> claims) {
    Purpose purpose = audit.purposeOfTake(claims);
    if (purpose == Purpose.TAKE) {
      audit.onClientTake();
    }
    StoreCall call = new StoreCall(Operation.TAKE, claims);
    if (purpose != Purpose.REFILL) {
      return send(call, claims);
    }
    ServerUsage usage = audit.usage(server, claims.get(0));
    long cost = claims.get(0).cost();
    audit.leases.onRefillSent(server, usage, cost);
    return onCompletion(
        send(call, claims),
        (decision, failure) ->
            audit.leases.onRefillEnded(
                server, usage, call.message, cost, result(decision, failure)));
  }

  @Override
  public Answer peek(List<Claim> claims) {
    return store.peek(claims);
  }

  @Override
  public Answer refund(List<Claim> claims) {
    StoreCall call = new StoreCall(Operation.REFUND, claims);
    if (audit.purposeOfRefund(claims) != Purpose.RETURN) {
      return send(call, claims);
    }
    ServerUsage usage = audit.usage(server, claims.get(0));
    long cost = claims.get(0).cost();
    audit.leases.onReturnSent(usage, cost);
    return onCompletion(
        send(call, claims),
        (decision, failure) ->
            audit.leases.onReturnEnded(usage, call.message, cost, result(decision, failure)));
  }

  @Override
  public Answer charge(List<Claim> claims) {
    List<Charge> charges = new ArrayList<>();
    for (Claim claim : claims) {
      ServerUsage usage = audit.usage(server, claim);
      BalanceCheck.checkCharge(audit, server, usage, claim.cost());
      charges.add(new Charge(usage, claim.cost()));
    }
    return onCompletion(
        send(new StoreCall(Operation.CHARGE, claims), claims),
        (decision, failure) ->
            charges.forEach(charge -> recordCharge(charge, result(decision, failure))));
  }

  private record Charge(ServerUsage usage, long cost) {}

  private void recordCharge(Charge charge, Result result) {
    ServerUsage usage = charge.usage;
    switch (result) {
      case GRANTED -> usage.chargesConfirmed += charge.cost;
      case UNKNOWN -> usage.chargesUnknown += charge.cost;
      case NOT_APPLIED ->
          usage.pendingCharge.add(
              server.wallClock().micros(),
              charge.cost,
              server.fleetModel().localLimit(usage.account.limit));
    }
  }

  @Override
  public Answer reset(List<Claim> claims) {
    return store.reset(claims);
  }

  private Answer send(StoreCall call, List<Claim> claims) {
    return audit.inCall(call, () -> store.apply(call.operation, claims));
  }

  private interface CompletionHandler {
    void onComplete(@Nullable Decision decision, @Nullable Throwable failure);
  }

  private static Answer onCompletion(Answer answer, CompletionHandler handler) {
    return Answer.later(answer.stage().whenComplete(handler::onComplete));
  }

  private static Result result(@Nullable Decision decision, @Nullable Throwable thrown) {
    if (decision != null) {
      return decision.allowed() ? Result.GRANTED : Result.NOT_APPLIED;
    }
    Throwable cause = thrown instanceof CompletionException ? thrown.getCause() : thrown;
    boolean notApplied = cause instanceof StoreFailure failure && failure.effect() == Effect.NONE;
    return notApplied ? Result.NOT_APPLIED : Result.UNKNOWN;
  }
}
