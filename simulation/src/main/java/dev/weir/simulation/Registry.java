package dev.weir.simulation;

import dev.weir.StoreFailure;
import dev.weir.StoreFailure.Effect;
import dev.weir.guard.Roster;
import dev.weir.simulation.Central.Health;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** The list of servers, kept where the counters are, and reached on the same lines. */
final class Registry {
  private final World world;
  private final Central central;
  private final long timeoutNanos;
  private final Map<String, Long> untilNanos = new TreeMap<>();
  private int memory;

  Registry(World world, Central central, long timeoutNanos) {
    this.world = world;
    this.central = central;
    this.timeoutNanos = timeoutNanos;
  }

  /** As everything is lost with the counters. */
  void lose() {
    untilNanos.clear();
    memory++;
    world.count(Happening.FORGOTTEN_ALL);
  }

  private List<String> present() {
    untilNanos.values().removeIf(until -> until <= world.nanos());
    return List.copyOf(untilNanos.keySet());
  }

  /** The list as one server sees it, through the network. */
  Roster through(Node node) {
    return new Roster() {
      @Override
      public CompletionStage<Roll> announce(String server, Duration lasting) {
        CompletableFuture<Roll> answer = new CompletableFuture<>();
        ask(
            node,
            answer,
            () -> {
              untilNanos.put(server, world.nanos() + lasting.toNanos());
              Roll roll = new Roll(present(), "memory " + memory);
              long listedNanos = world.nanos();
              return () -> {
                if (!answer.isDone()) {
                  node.told(roll, listedNanos, () -> answer.complete(roll));
                }
              };
            });
        return answer;
      }

      @Override
      public CompletionStage<Void> leave(String server) {
        CompletableFuture<Void> answer = new CompletableFuture<>();
        ask(
            node,
            answer,
            () -> {
              untilNanos.remove(server);
              return () -> answer.complete(null);
            });
        return answer;
      }
    };
  }

  /** Something done there, which tells what to do here. */
  private interface Errand {
    Runnable run();
  }

  private void ask(Node node, CompletableFuture<?> answer, Errand errand) {
    StoreFailure unknown = new StoreFailure(Effect.UNKNOWN, "timed out", null);
    world.after(timeoutNanos, () -> node.run(() -> answer.completeExceptionally(unknown)));
    if (node.line.state != Health.UP || node.line.losesRequest()) {
      return;
    }
    world.after(
        node.line.delay(),
        () -> {
          if (central.health() == Health.UP) {
            Runnable reply = errand.run();
            if (!node.line.losesReply()) {
              world.after(node.line.delay(), () -> node.run(reply));
            }
          }
        });
  }
}
