package dev.weir.simulation.fleet;

import dev.weir.StoreFailure;
import dev.weir.StoreFailure.Effect;
import dev.weir.shared.fleet.Roster;
import dev.weir.simulation.fleet.CentralStore.Health;
import dev.weir.simulation.world.EventType;
import dev.weir.simulation.world.World;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** The roster of servers, kept by the central store and reached through the same links. */
public final class RosterService {
  private final World world;
  private final CentralStore central;
  private final long timeoutNanos;
  private final Map<String, Long> expiryNanos = new TreeMap<>();
  private int dataVersion;

  /** An empty roster; {@code timeoutNanos} is the timeout of a call to it. */
  public RosterService(World world, CentralStore central, long timeoutNanos) {
    this.world = world;
    this.central = central;
    this.timeoutNanos = timeoutNanos;
  }

  /** Loses the roster, as happens when the store loses all its data. */
  void loseData() {
    expiryNanos.clear();
    dataVersion++;
    world.count(EventType.LOST_ALL_DATA);
  }

  private List<String> members() {
    expiryNanos.values().removeIf(expiry -> expiry <= world.nanos());
    return List.copyOf(expiryNanos.keySet());
  }

  /** The roster as one server sees it, through the network. */
  Roster seenBy(SimulatedServer server) {
    return new Roster() {
      @Override
      public CompletionStage<Roll> announce(String name, Duration lasting) {
        CompletableFuture<Roll> answer = new CompletableFuture<>();
        call(
            server,
            answer,
            () -> {
              expiryNanos.put(name, world.nanos() + lasting.toNanos());
              Roll roll = new Roll(members(), "memory " + dataVersion);
              long listedNanos = world.nanos();
              return () -> {
                if (!answer.isDone()) {
                  server.onRoll(roll, listedNanos, () -> answer.complete(roll));
                }
              };
            });
        return answer;
      }

      @Override
      public CompletionStage<Void> leave(String name) {
        CompletableFuture<Void> answer = new CompletableFuture<>();
        call(
            server,
            answer,
            () -> {
              expiryNanos.remove(name);
              return () -> answer.complete(null);
            });
        return answer;
      }
    };
  }

  /** Work at the roster; returns the work of the server when the reply arrives. */
  private interface RemoteAction {
    Runnable run();
  }

  private void call(SimulatedServer server, CompletableFuture<?> answer, RemoteAction action) {
    StoreFailure timeout = new StoreFailure(Effect.UNKNOWN, "timed out", null);
    world.after(timeoutNanos, () -> server.run(() -> answer.completeExceptionally(timeout)));
    if (server.link.state != Health.UP || server.link.losesRequest()) {
      return;
    }
    world.after(
        server.link.delayNanos(),
        () -> {
          if (central.health() == Health.UP) {
            Runnable reply = action.run();
            if (!server.link.losesReply()) {
              world.after(server.link.delayNanos(), () -> server.run(reply));
            }
          }
        });
  }
}
