package dev.weir.simulation;

import dev.weir.Decision;
import java.time.Duration;

/** Clients that come back exactly when told, and see whether that was true. */
final class Patience {
  private final World world;
  private final Audit audit;
  private final Clients clients;

  Patience(World world, Audit audit, Clients clients) {
    this.world = world;
    this.audit = audit;
    this.clients = clients;
  }

  /** One request after the other; after a denial, again exactly when told. */
  void ask(Group group, int client, long cost) {
    if (clients.isOver()) {
      return;
    }
    boolean asked =
        clients.ask(
            clients.anyNode(), group, client, cost, request -> told(group, client, cost, request));
    if (!asked) {
      world.after(World.millis(100), () -> ask(group, client, cost));
    }
  }

  private void told(Group group, int client, long cost, Request request) {
    Decision decision = request.decision;
    Duration wait = decision == null ? null : decision.retryAfter().orElse(null);
    if (decision == null || wait == null || request.failure != null) {
      long pause = world.between(World.millis(1), World.millis(30));
      world.after(pause, () -> ask(group, client, another(group)));
      return;
    }
    if (world.chance(0.2)) {
      // Impatient for once: what is told now must be as true.
      ask(group, client, another(group));
      return;
    }
    Account account = audit.account(request.match.claims().get(0));
    long spends = request.spendsThen;
    world.tell(() -> "  " + account + " comes back in " + wait);
    world.after(wait.toNanos(), () -> again(group, client, cost, account, spends, wait));
  }

  private void again(
      Group group, int client, long cost, Account account, long spends, Duration wait) {
    if (clients.isOver()) {
      return;
    }
    world.count(Happening.COMING_BACK_AS_TOLD);
    boolean asked =
        clients.ask(
            clients.anyNode(),
            group,
            client,
            cost,
            request -> {
              Decision decision = request.decision;
              if (request.failure == null
                  && decision != null
                  && !decision.allowed()
                  && account.spends == spends
                  && !isBehind(account, decision)) {
                String what = "came back after " + wait + " as told, and was told " + decision;
                audit.violate(Invariant.RETRY, account, what);
              }
              told(group, client, cost, request);
            });
    if (!asked) {
      world.after(World.millis(100), () -> ask(group, client, cost));
    }
  }

  /** Of what is given back through one server, another may not know for a second. */
  private boolean isBehind(Account account, Decision told) {
    return told.basis() == Decision.Basis.REMEMBERED
        && world.nanos() - account.givenNanos <= World.millis(1_100);
  }

  private long another(Group group) {
    return Math.max(1, group.cost() + world.random().nextInt(3));
  }
}
