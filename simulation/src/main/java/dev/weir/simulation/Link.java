package dev.weir.simulation;

import dev.weir.Answer;
import dev.weir.Claim;
import dev.weir.Decision;
import dev.weir.StoreFailure;
import dev.weir.StoreFailure.Effect;
import dev.weir.operation.Operation;
import dev.weir.operation.UniformStore;
import dev.weir.simulation.Central.Health;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * The store as one server sees it, through a network.
 *
 * <p>As a client of Redis does, it gives up by itself after a while, and refuses at once while
 * there is no connection.
 */
final class Link extends UniformStore {
  private final World world;
  private final Central central;
  private final Ledger ledger;
  private final Node node;
  private final long timeoutNanos;

  Link(World world, Central central, Ledger ledger, Node node, long timeoutNanos) {
    this.world = world;
    this.central = central;
    this.ledger = ledger;
    this.node = node;
    this.timeoutNanos = timeoutNanos;
  }

  @Override
  protected Answer ask(Operation operation, List<Claim> claims) {
    Message message = ledger.sent(node, operation, claims);
    CompletableFuture<Decision> answer = new CompletableFuture<>();
    if (node.line.state == Health.REFUSING) {
      ledger.ended(message);
      StoreFailure failure = new StoreFailure(Effect.NONE, "no connection", null);
      if (world.random().nextBoolean()) {
        return Answer.failed(failure);
      }
      later(World.micros(50), () -> answer.completeExceptionally(failure));
      return Answer.later(answer);
    }
    later(
        timeoutNanos,
        () -> answer.completeExceptionally(new StoreFailure(Effect.UNKNOWN, "timed out", null)));
    if (node.line.losesRequest()) {
      world.tell(() -> message + " lost on its way");
      world.count(Happening.LOST_REQUEST);
      ledger.ended(message);
    } else {
      world.after(
          node.line.delay(),
          () -> central.receive(message, (decision, failure) -> reply(answer, decision, failure)));
    }
    return Answer.later(answer);
  }

  private void reply(
      CompletableFuture<Decision> answer,
      @Nullable Decision decision,
      @Nullable StoreFailure failure) {
    if (node.line.losesReply()) {
      world.tell(() -> "a reply to " + node + " lost");
      world.count(Happening.LOST_REPLY);
      return;
    }
    later(
        node.line.delay(),
        () -> {
          if (answer.isDone()) {
            world.count(Happening.LATE_REPLY);
          } else if (decision != null) {
            answer.complete(decision);
          } else if (failure != null) {
            answer.completeExceptionally(failure);
          }
        });
  }

  private void later(long nanos, Runnable work) {
    world.after(nanos, () -> node.run(work));
  }
}
