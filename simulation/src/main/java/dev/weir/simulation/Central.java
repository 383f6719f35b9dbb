package dev.weir.simulation;

import dev.weir.Claim;
import dev.weir.Decision;
import dev.weir.Decision.Verdict;
import dev.weir.Store;
import dev.weir.StoreFailure;
import dev.weir.StoreFailure.Effect;
import dev.weir.Ticker;
import dev.weir.memory.MemoryStore;
import dev.weir.simulation.Message.Purpose;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The store that all servers share, as a machine: it has a clock, it fails, and after a failover it
 * may not remember its last moments.
 *
 * <p>What it did is kept in order, so that a memory without the end of it can be made again.
 */
final class Central {
  private static final long MAX_KEYS = 4_000;

  /** How it does. */
  enum Health {
    UP,
    /** Whatever comes is lost. */
    SILENT,
    /** Whatever comes is refused, and nothing is done. */
    REFUSING,
    /** Whatever comes waits. */
    HANGING
  }

  private final World world;
  private final Ledger ledger;
  private final Wall clock;
  private final Ticker counted;
  private final Seams seams;
  private final List<Message> done = new ArrayList<>();
  private final List<Waiting> waiting = new ArrayList<>();
  private final Map<Node, Long> newestOf = new HashMap<>();
  private Health health = Health.UP;
  private Store store;
  private @Nullable Node asking;
  private long repeatedMicros = -1;

  /** Hears what became of a message. */
  interface Reply {
    void come(@Nullable Decision decision, @Nullable StoreFailure failure);
  }

  private record Waiting(Message message, Reply reply) {}

  Central(World world, Wall clock, Ledger ledger, Seams seams) {
    this.world = world;
    this.clock = clock;
    this.ledger = ledger;
    this.seams = seams;
    this.counted = seams.storeClock(clock, () -> asking == null ? clock : asking.wall);
    this.store = empty();
  }

  private Store empty() {
    Ticker ticker = () -> repeatedMicros >= 0 ? repeatedMicros : counted.micros();
    return seams.store(new MemoryStore(MAX_KEYS, ticker));
  }

  Health health() {
    return health;
  }

  /** From now on it does so; what waited is done, in the order in which it came, or lost. */
  void become(Health next, boolean doWaiting) {
    world.tell(() -> "! store " + next);
    health = next;
    switch (next) {
      case SILENT -> world.count(Happening.SILENT_STORE);
      case REFUSING -> world.count(Happening.REFUSING_STORE);
      case HANGING -> world.count(Happening.HANGING_STORE);
      case UP -> {}
    }
    List<Waiting> all = List.copyOf(waiting);
    waiting.clear();
    boolean done = doWaiting && next == Health.UP;
    for (Waiting one : all) {
      if (done) {
        world.count(Happening.DONE_LATE);
        receive(one.message, one.reply);
      } else {
        ledger.ended(one.message);
      }
    }
  }

  /** A message has arrived. */
  void receive(Message message, Reply reply) {
    overtakes(message);
    switch (health) {
      case UP -> reply.come(apply(message), null);
      case REFUSING -> {
        ledger.ended(message);
        reply.come(null, new StoreFailure(Effect.NONE, "refused", null));
      }
      case HANGING -> waiting.add(new Waiting(message, reply));
      case SILENT -> ledger.ended(message);
    }
  }

  private void overtakes(Message message) {
    long newest = newestOf.merge(message.node, message.number, Math::max);
    if (newest > message.number) {
      world.count(Happening.OVERTAKING);
    }
  }

  private Decision apply(Message message) {
    asking = message.node;
    Decision decision = message.operation.on(store, message.claims).join();
    if (message.purpose == Purpose.QUESTION) {
      keepsToIt(message, decision);
    }
    asking = null;
    message.decision = decision;
    message.micros = clock.micros();
    if (message.changed()) {
      done.add(message);
    }
    ledger.applied(message, decision);
    return decision;
  }

  /** Whether what it tells is when the same would pass, and not a microsecond more. */
  private void keepsToIt(Message message, Decision decision) {
    long now = counted.micros();
    for (int i = 0; i < message.claims.size(); i++) {
      Claim claim = message.claims.get(i);
      Decision each = decision.each().get(i);
      if (each.verdict() == Verdict.DENIED
          && !Retries.isExact(claim, each, now, then -> passesAt(claim, then))) {
        ledger.wrongWait(claim, each);
      }
    }
  }

  private boolean passesAt(Claim claim, long micros) {
    repeatedMicros = micros;
    boolean passes = store.look(List.of(claim)).join().allowed();
    repeatedMicros = -1;
    return passes;
  }

  /**
   * Somebody else takes over who has heard of everything until so long ago.
   *
   * @param step by how much the other one's clock differs
   */
  void failover(long lagNanos, long step) {
    long remembered = clock.micros() - lagNanos / 1_000;
    List<Message> forgotten = done.stream().filter(message -> message.micros > remembered).toList();
    done.removeAll(forgotten);
    store = empty();
    for (Message message : done) {
      repeatedMicros = message.micros;
      var unused = message.operation.on(store, message.claims).join();
    }
    repeatedMicros = -1;
    clock.jump(step);
    world.count(Happening.FAILOVER);
    if (!forgotten.isEmpty()) {
      world.count(Happening.FORGOTTEN_TAIL);
    }
    if (step != 0) {
      world.count(Happening.STORE_CLOCK_STEP);
    }
    world.tell(() -> "! failover, forgot " + forgotten + ", clock " + step + " us");
    ledger.forgot(forgotten, step);
  }
}
