package dev.weir.simulation.audit;

import dev.weir.Algorithm;
import dev.weir.Claim;
import dev.weir.Decision;
import dev.weir.Decision.Verdict;
import dev.weir.Operation;
import dev.weir.simulation.exchange.AuditedServer;
import dev.weir.simulation.exchange.StoreMessage;
import dev.weir.simulation.exchange.StoreMessage.Purpose;
import dev.weir.simulation.plan.ClientGroup;
import dev.weir.simulation.world.EventType;
import dev.weir.simulation.world.WallClock;
import dev.weir.simulation.world.World;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongPredicate;

/** Records the messages on the network and what the store does with them. */
public final class MessageLedger {
  /** An unused lease must be returned after this time: a second, and two periods of the check. */
  private static final long MAX_UNUSED_NANOS = World.millis(1_300);

  private final World world;
  private final WallClock clock;
  private final Audit audit;
  private final Map<ServerUsage, long[]> windows = new HashMap<>();
  private long lastNumber;
  private long dataLostMicros;

  /** A ledger without messages; {@code clock} is the clock of the store. */
  public MessageLedger(World world, WallClock clock, Audit audit) {
    this.world = world;
    this.clock = clock;
    this.audit = audit;
  }

  /** The number of messages so far. */
  public long messages() {
    return lastNumber;
  }

  /** Records a message that a server sends. */
  public StoreMessage onSent(AuditedServer server, Operation operation, List<Claim> claims) {
    boolean healthProbe = !audit.isAudited(claims.get(0));
    Purpose purpose =
        healthProbe
            ? Purpose.PROBE
            : switch (operation) {
              case TAKE -> audit.purposeOfTake(claims);
              case REFUND -> audit.purposeOfRefund(claims);
              case CHARGE -> Purpose.CHARGE;
              case PEEK, RESET -> Purpose.PROBE;
            };
    StoreMessage message =
        new StoreMessage(++lastNumber, server, operation, purpose, claims, world.nanos());
    world.addToDigest(message.number);
    if (purpose == Purpose.PROBE) {
      return message;
    }
    message.request = purpose == Purpose.TAKE ? audit.currentRequest() : null;
    audit.onSent(message);
    for (Claim claim : claims) {
      Account account = audit.account(claim);
      world.log(() -> server + " sends " + message + " " + claim.cost() + " " + account);
      if (purpose == Purpose.RETURN) {
        audit.leases.addReturnsInFlight(account, claim.cost());
      }
    }
    return message;
  }

  /** Records that a message is no longer on its way: it has arrived, or never will. */
  public void onEnded(StoreMessage message) {
    if (message.purpose == Purpose.RETURN) {
      for (Claim claim : message.claims) {
        audit.leases.addReturnsInFlight(audit.account(claim), -claim.cost());
      }
    }
  }

  /** Records that the store has applied a message. */
  public void onApplied(StoreMessage message, Decision decision) {
    world.addToDigest(decision.hashCode());
    onEnded(message);
    if (message.purpose == Purpose.PROBE) {
      return;
    }
    for (int i = 0; i < message.claims.size(); i++) {
      Claim claim = message.claims.get(i);
      ServerUsage usage = audit.usage(message.server, claim);
      Decision each = decision.each().get(i);
      world.log(() -> "  store applies " + message + " " + usage.account + ": " + each);
      if (decision.allowed()) {
        recordApplied(message, claim, usage);
      } else if (message.purpose == Purpose.TAKE && each.verdict() == Verdict.DENIED) {
        onDenied(message, claim, usage.account, each);
      }
    }
  }

  private void onDenied(StoreMessage message, Claim claim, Account account, Decision each) {
    if (message.request != null) {
      message.request.chargeCountThen = account.chargeCount;
      message.request.storeWaits.put(claim.key(), RetryAfterCheck.waitMicros(each));
    }
    if (account.politeModel != null
        && account.group.kind() == ClientGroup.Kind.POLITE
        && !account.politeModel.isDenialJustified(audit, account, claim.cost())) {
      String description = "denied " + claim.cost() + ", for which there is room";
      audit.violate(Invariant.POLITE, account, description);
    }
  }

  /**
   * Checks that a denial by the store states exactly when the same claim would pass.
   *
   * @param passesAt whether the claim would pass at that time of the store's clock
   */
  public void checkRetryAfter(Claim claim, Decision each, long nowMicros, LongPredicate passesAt) {
    if (!RetryAfterCheck.isExact(claim, each, nowMicros, passesAt)) {
      audit.violate(
          Invariant.RETRY, audit.account(claim), "the store states a wrong wait: " + each);
    }
  }

  private void recordApplied(StoreMessage message, Claim claim, ServerUsage usage) {
    Account account = usage.account;
    long cost = claim.cost();
    switch (message.purpose) {
      case TAKE -> {
        if (message.request != null) {
          message.request.storeGrants.add(claim.key());
        }
        account.chargeCount++;
        record(account, message, cost, claim.holder(), true);
      }
      case REFILL -> {
        usage.refillsApplied += cost;
        account.chargeCount++;
        checkWindowReturns(message, usage, cost);
      }
      case RETURN -> {
        world.count(EventType.RETURN);
        account.lastReturnNanos = world.nanos();
        usage.returnsApplied += cost;
        checkWindowReturns(message, usage, -cost);
      }
      case REFUND -> {
        world.count(EventType.REFUND);
        account.lastReturnNanos = world.nanos();
        record(account, message, -cost, claim.holder(), false);
      }
      case CHARGE -> {
        world.count(EventType.CHARGE);
        account.chargeCount++;
        usage.chargesApplied += cost;
        // A charge may exceed the limit. For most limits it leaves less for others; the bound of a
        // sliding counter is only for its grants.
        if (!account.leases() && account.limit.algorithm() != Algorithm.SLIDING_COUNTER) {
          record(account, message, cost, 0, false);
        }
      }
      case PROBE -> {}
    }
    if (account.politeModel != null) {
      updatePoliteModel(account.politeModel, message, usage, cost);
    }
  }

  private void updatePoliteModel(
      PoliteClientModel model, StoreMessage message, ServerUsage usage, long cost) {
    switch (message.purpose) {
      case TAKE, CHARGE -> model.recordCounted(cost);
      case REFILL -> {
        model.recordRefill(usage, message, cost);
        scheduleReturnCheck(model, message.server, usage, usage.lastRefillNanos);
      }
      case RETURN -> model.recordReturn(usage, cost);
      case REFUND, PROBE -> {}
    }
  }

  private void scheduleReturnCheck(
      PoliteClientModel model, AuditedServer server, ServerUsage usage, long refilledNanos) {
    long paused = server.pausedNanos();
    world.after(
        MAX_UNUSED_NANOS,
        () -> {
          if (server.pausedNanos() == paused) {
            checkReturned(model, server, usage, refilledNanos);
          } else if (server.isAlive()) {
            scheduleReturnCheck(model, server, usage, refilledNanos);
          }
        });
  }

  /**
   * Checks that a server returned a lease that it did not refill since, which means it is unused.
   */
  private void checkReturned(
      PoliteClientModel model, AuditedServer server, ServerUsage usage, long refilledNanos) {
    long kept = model.unreturned(usage);
    if (kept > 0 && usage.lastRefillNanos == refilledNanos) {
      audit.violate(Invariant.POLITE, usage.account, server + " keeps " + kept + " unused permits");
    }
  }

  private void record(
      Account account, StoreMessage message, long amount, long holder, boolean checked) {
    account.record(world.nanos(), message.appliedMicros, amount, holder, checked, message);
  }

  /** Checks that a window gets back only what was taken from it, or was on its way at its start. */
  private void checkWindowReturns(StoreMessage message, ServerUsage usage, long permits) {
    if (usage.account.limit.algorithm() != Algorithm.FIXED_WINDOW) {
      return;
    }
    long start = usage.account.limit.windowStartMicros(message.appliedMicros);
    long[] window = windows.computeIfAbsent(usage, key -> new long[] {start, 0});
    if (window[0] != start) {
      window[0] = start;
      window[1] = 0;
    }
    long travelMicros = (world.nanos() - message.sentNanos) / 1_000;
    if (permits > 0 || message.appliedMicros - travelMicros > start) {
      window[1] += permits;
    }
    if (window[1] < 0 && start > dataLostMicros) {
      String description = message.server + " returns to a window what it took from another";
      audit.violate(Invariant.BOOKS, usage.account, description);
    }
  }

  /** Records that the store has lost the effect of these messages, and that its clock has moved. */
  public void onDataLost(List<StoreMessage> messages, long stepMicros) {
    windows.clear();
    for (AuditedServer server : audit.servers()) {
      audit.usages(server).forEach(usage -> usage.heldPermits.clear());
    }
    dataLostMicros = clock.micros();
    for (StoreMessage message : messages) {
      message.lost = true;
      for (Claim claim : message.claims) {
        Account account = audit.account(claim);
        boolean took = message.operation == Operation.TAKE;
        if (account.politeModel != null && message.operation == Operation.REFUND) {
          account.politeModel.recordCounted(claim.cost());
        }
        if (account.leases() && took) {
          account.record(world.nanos(), message.appliedMicros, -claim.cost(), false);
        }
      }
    }
    for (Account account : audit.accounts()) {
      account.chargeCount++;
      if (account.leases() && stepMicros < 0) {
        // Counters that keep the time of their last change wait for the clock, others do not. What
        // that allows is little, and not worth following.
        account.restartHistory(world.nanos(), clock.micros());
      }
    }
  }
}
