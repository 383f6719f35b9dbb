package dev.weir.simulation.fleet;

import dev.weir.Answer;
import dev.weir.Claim;
import dev.weir.Decision;
import dev.weir.Operation;
import dev.weir.Store;
import dev.weir.StoreFailure;
import dev.weir.StoreFailure.Effect;
import dev.weir.simulation.audit.MessageLedger;
import dev.weir.simulation.exchange.StoreMessage;
import dev.weir.simulation.fleet.CentralStore.Health;
import dev.weir.simulation.world.EventType;
import dev.weir.simulation.world.World;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * The store as one server sees it, through the network.
 *
 * <p>Like a Redis client, it has its own timeout, and fails at once while there is no connection.
 */
final class RemoteStore implements Store {
  private final World world;
  private final CentralStore central;
  private final MessageLedger ledger;
  private final SimulatedServer server;
  private final long timeoutNanos;

  RemoteStore(
      World world,
      CentralStore central,
      MessageLedger ledger,
      SimulatedServer server,
      long timeoutNanos) {
    this.world = world;
    this.central = central;
    this.ledger = ledger;
    this.server = server;
    this.timeoutNanos = timeoutNanos;
  }

  @Override
  public Answer apply(Operation operation, List<Claim> claims) {
    StoreMessage message = ledger.onSent(server, operation, claims);
    CompletableFuture<Decision> answer = new CompletableFuture<>();
    if (server.link.state == Health.REFUSING) {
      ledger.onEnded(message);
      StoreFailure failure = new StoreFailure(Effect.NONE, "no connection", null);
      if (world.random().nextBoolean()) {
        return Answer.failed(failure);
      }
      schedule(World.micros(50), () -> answer.completeExceptionally(failure));
      return Answer.later(answer);
    }
    schedule(
        timeoutNanos,
        () -> answer.completeExceptionally(new StoreFailure(Effect.UNKNOWN, "timed out", null)));
    if (server.link.losesRequest()) {
      world.log(() -> message + " is lost");
      world.count(EventType.LOST_REQUEST);
      ledger.onEnded(message);
    } else {
      world.after(
          server.link.delayNanos(),
          () ->
              central.receive(message, (decision, failure) -> onReply(answer, decision, failure)));
    }
    return Answer.later(answer);
  }

  private void onReply(
      CompletableFuture<Decision> answer,
      @Nullable Decision decision,
      @Nullable StoreFailure failure) {
    if (server.link.losesReply()) {
      world.log(() -> "a reply to " + server + " is lost");
      world.count(EventType.LOST_REPLY);
      return;
    }
    schedule(
        server.link.delayNanos(),
        () -> {
          if (answer.isDone()) {
            world.count(EventType.LATE_REPLY);
          } else if (decision != null) {
            answer.complete(decision);
          } else if (failure != null) {
            answer.completeExceptionally(failure);
          }
        });
  }

  private void schedule(long nanos, Runnable work) {
    world.after(nanos, () -> server.run(work));
  }
}
