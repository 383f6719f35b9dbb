package dev.weir.simulation.fleet;

import dev.weir.Claim;
import dev.weir.Decision;
import dev.weir.Decision.Verdict;
import dev.weir.Store;
import dev.weir.StoreFailure;
import dev.weir.StoreFailure.Effect;
import dev.weir.memory.MemoryStore;
import dev.weir.simulation.audit.MessageLedger;
import dev.weir.simulation.exchange.AuditedServer;
import dev.weir.simulation.exchange.StoreMessage;
import dev.weir.simulation.exchange.StoreMessage.Purpose;
import dev.weir.simulation.world.EventType;
import dev.weir.simulation.world.WallClock;
import dev.weir.simulation.world.World;
import dev.weir.time.Ticker;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The machine of the store that all servers share: it has a clock, it fails, and a failover may
 * lose its latest writes.
 *
 * <p>Applied messages are kept in order. A failover replays them without the lost ones.
 */
public final class CentralStore {
  private static final long MAX_KEYS = 4_000;

  /** How the store reacts to messages. */
  enum Health {
    /** Messages are applied and answered. */
    UP,
    /** Messages are lost. */
    SILENT,
    /** Messages are refused and not applied. */
    REFUSING,
    /** Messages wait. */
    HANGING
  }

  private final World world;
  private final MessageLedger ledger;
  private final WallClock clock;
  private final Ticker ticker;
  private final InjectionPoints points;
  private final List<StoreMessage> applied = new ArrayList<>();
  private final List<Waiting> waiting = new ArrayList<>();
  private final Map<AuditedServer, Long> newestNumberOf = new HashMap<>();
  private Health health = Health.UP;
  private Store store;
  private @Nullable AuditedServer caller;
  private long replayMicros = -1;

  /** Receives the reply to a message. */
  interface Reply {
    void onReply(@Nullable Decision decision, @Nullable StoreFailure failure);
  }

  private record Waiting(StoreMessage message, Reply reply) {}

  /** An empty store that counts by {@code clock}. */
  public CentralStore(World world, WallClock clock, MessageLedger ledger, InjectionPoints points) {
    this.world = world;
    this.clock = clock;
    this.ledger = ledger;
    this.points = points;
    this.ticker = points.storeClock(clock, () -> caller == null ? clock : caller.wallClock());
    this.store = emptyStore();
  }

  private Store emptyStore() {
    return points.store(
        new MemoryStore(MAX_KEYS, () -> replayMicros >= 0 ? replayMicros : ticker.micros()));
  }

  Health health() {
    return health;
  }

  /** Changes the health; waiting messages are applied in the order of arrival, or lost. */
  void setHealth(Health next, boolean applyWaiting) {
    world.log(() -> "! store " + next);
    health = next;
    switch (next) {
      case SILENT -> world.count(EventType.SILENT_STORE);
      case REFUSING -> world.count(EventType.REFUSING_STORE);
      case HANGING -> world.count(EventType.HANGING_STORE);
      case UP -> {}
    }
    List<Waiting> all = List.copyOf(waiting);
    waiting.clear();
    boolean apply = applyWaiting && next == Health.UP;
    for (Waiting each : all) {
      if (apply) {
        world.count(EventType.LATE_EXECUTION);
        receive(each.message, each.reply);
      } else {
        ledger.onEnded(each.message);
      }
    }
  }

  /** Takes a message that has arrived. */
  void receive(StoreMessage message, Reply reply) {
    countReordering(message);
    switch (health) {
      case UP -> reply.onReply(apply(message), null);
      case REFUSING -> {
        ledger.onEnded(message);
        reply.onReply(null, new StoreFailure(Effect.NONE, "refused", null));
      }
      case HANGING -> waiting.add(new Waiting(message, reply));
      case SILENT -> ledger.onEnded(message);
    }
  }

  private void countReordering(StoreMessage message) {
    long newest = newestNumberOf.merge(message.server, message.number, Math::max);
    if (newest > message.number) {
      world.count(EventType.REORDERED_MESSAGE);
    }
  }

  private Decision apply(StoreMessage message) {
    caller = message.server;
    Decision decision = store.apply(message.operation, message.claims).join();
    if (message.purpose == Purpose.TAKE) {
      checkRetryAfter(message, decision);
    }
    caller = null;
    message.decision = decision;
    message.appliedMicros = clock.micros();
    if (message.changedCounter()) {
      applied.add(message);
    }
    ledger.onApplied(message, decision);
    return decision;
  }

  /** Checks that each denial states exactly when the same claim would pass. */
  private void checkRetryAfter(StoreMessage message, Decision decision) {
    long now = ticker.micros();
    for (int i = 0; i < message.claims.size(); i++) {
      Claim claim = message.claims.get(i);
      Decision each = decision.each().get(i);
      if (each.verdict() == Verdict.DENIED) {
        ledger.checkRetryAfter(claim, each, now, then -> passesAt(claim, then));
      }
    }
  }

  private boolean passesAt(Claim claim, long micros) {
    replayMicros = micros;
    boolean passes = store.peek(List.of(claim)).join().allowed();
    replayMicros = -1;
    return passes;
  }

  /**
   * Fails over to a replica.
   *
   * @param lagNanos how old the latest write is that the replica has
   * @param stepMicros by how much the clock of the replica differs
   */
  void failover(long lagNanos, long stepMicros) {
    long replicated = clock.micros() - lagNanos / 1_000;
    List<StoreMessage> lost =
        applied.stream().filter(message -> message.appliedMicros > replicated).toList();
    applied.removeAll(lost);
    store = emptyStore();
    for (StoreMessage message : applied) {
      replayMicros = message.appliedMicros;
      var unused = store.apply(message.operation, message.claims).join();
    }
    replayMicros = -1;
    clock.jump(stepMicros);
    world.count(EventType.FAILOVER);
    if (!lost.isEmpty()) {
      world.count(EventType.LOST_RECENT_WRITES);
    }
    if (stepMicros != 0) {
      world.count(EventType.STORE_CLOCK_STEP);
    }
    world.log(() -> "! failover, lost " + lost + ", clock " + stepMicros + " us");
    ledger.onDataLost(lost, stepMicros);
  }
}
