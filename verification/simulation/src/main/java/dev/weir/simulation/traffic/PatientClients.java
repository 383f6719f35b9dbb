package dev.weir.simulation.traffic;

import dev.weir.Decision;
import dev.weir.simulation.audit.Account;
import dev.weir.simulation.audit.Audit;
import dev.weir.simulation.audit.Invariant;
import dev.weir.simulation.exchange.ClientRequest;
import dev.weir.simulation.plan.ClientGroup;
import dev.weir.simulation.world.EventType;
import dev.weir.simulation.world.World;
import java.time.Duration;

/** Clients that retry exactly after the stated wait, and check that it was right. */
final class PatientClients {
  private final World world;
  private final Audit audit;
  private final ClientTraffic traffic;

  PatientClients(World world, Audit audit, ClientTraffic traffic) {
    this.world = world;
    this.audit = audit;
    this.traffic = traffic;
  }

  /** Sends one request after the other; after a denial, the next one exactly after its wait. */
  void send(ClientGroup group, int client, long cost) {
    if (traffic.isOver()) {
      return;
    }
    boolean sent =
        traffic.send(
            traffic.anyServer(),
            group,
            client,
            cost,
            (server, request) -> onDecision(group, client, cost, request));
    if (!sent) {
      world.after(World.millis(100), () -> send(group, client, cost));
    }
  }

  private void onDecision(ClientGroup group, int client, long cost, ClientRequest request) {
    Decision decision = request.decision;
    Duration wait = decision == null ? null : decision.retryAfter().orElse(null);
    if (decision == null || wait == null || request.failure != null) {
      long pause = world.between(World.millis(1), World.millis(30));
      world.after(pause, () -> send(group, client, variedCost(group)));
      return;
    }
    if (world.chance(0.2)) {
      // Sometimes the client does not wait; the wait stated then must be as exact.
      send(group, client, variedCost(group));
      return;
    }
    Account account = audit.account(request.match.claims().get(0));
    long chargeCount = request.chargeCountThen;
    world.log(() -> "  " + account + " retries in " + wait);
    world.after(wait.toNanos(), () -> retry(group, client, cost, account, chargeCount, wait));
  }

  private void retry(
      ClientGroup group, int client, long cost, Account account, long chargeCount, Duration wait) {
    if (traffic.isOver()) {
      return;
    }
    world.count(EventType.RETRY_AS_ADVISED);
    boolean sent =
        traffic.send(
            traffic.anyServer(),
            group,
            client,
            cost,
            (server, request) -> {
              Decision decision = request.decision;
              if (request.failure == null
                  && decision != null
                  && !decision.allowed()
                  && account.chargeCount() == chargeCount
                  && !mayBeStale(account, decision)) {
                String description = "came back after the stated " + wait + ", and got " + decision;
                audit.violate(Invariant.RETRY, account, description);
              }
              onDecision(group, client, cost, request);
            });
    if (!sent) {
      world.after(World.millis(100), () -> send(group, client, cost));
    }
  }

  /**
   * Whether the denial may be cached: a server learns of a refund through another after a second.
   */
  private boolean mayBeStale(Account account, Decision denial) {
    return denial.basis() == Decision.Basis.CACHED
        && world.nanos() - account.lastReturnNanos() <= World.millis(1_100);
  }

  private long variedCost(ClientGroup group) {
    return Math.max(1, group.load().cost() + world.random().nextInt(3));
  }
}
