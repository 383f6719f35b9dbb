package dev.weir.server;

import dev.weir.Store;
import dev.weir.StoreFailure;
import dev.weir.StoreFailure.Effect;
import dev.weir.Ticker;
import dev.weir.guard.Fleet;
import dev.weir.guard.Guarded;
import dev.weir.guard.Standby;
import dev.weir.guard.SystemTimers;
import dev.weir.guard.Timers;
import dev.weir.guard.Upkeep;
import dev.weir.lease.ByMode;
import dev.weir.memory.MemoryStore;
import dev.weir.operation.Continuations;
import dev.weir.server.stats.Ways;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A store elsewhere, and all that stands between it and requests: leases and remembered denials, a
 * deadline and a breaker, and what counts while it is gone.
 */
final class SharedStore implements Upkeep.Watcher, AutoCloseable {
  /** How long a server that stops waits: for leases to be given back, and for its log. */
  private static final Duration GOODBYE = Duration.ofSeconds(1);

  /** Longer than any store's own deadline while a server warms up. */
  private static final Duration TRIAL_DEADLINE = Duration.ofSeconds(2);

  private final StoreInUse inUse;
  private final StoreLog log = new StoreLog();

  /** Requests go on in event loops of their own, which costs the timers' thread no time. */
  private final SystemTimers timers = Timers.system(Continuations.DIRECT);

  private final Fleet fleet;
  private final Standby standby;
  private final Upkeep upkeep;
  private final Unasked unasked;
  private final ByMode byMode;
  private final String address;
  private final Supplier<FailureModes> modes;
  private final StoreOutages storeOutages;
  private final LongAdder answers = new LongAdder();
  private final LongAdder undone = new LongAdder();
  private final LongAdder unknown = new LongAdder();
  private final LongAdder outages = new LongAdder();

  /** Without rules and edges. */
  SharedStore(StoreInUse inUse) {
    this(inUse, new Ways(), () -> FailureModes.NONE);
  }

  /**
   * @param ways counts requests that were decided without it
   * @param modes what rules do while it does not answer
   */
  SharedStore(StoreInUse inUse, Ways ways, Supplier<FailureModes> modes) {
    this.inUse = inUse;
    Rehearsal.of(timers, (rule, outcome) -> {});
    String self = UUID.randomUUID().toString();
    this.fleet =
        inUse.roster().map(roster -> new Fleet(self, roster, timers)).orElseGet(Fleet::alone);
    this.standby = new Standby(inUse.local(), fleet, Ticker.system());
    this.address = inUse.address();
    this.modes = modes;
    this.storeOutages =
        new StoreOutages(
            log,
            timers,
            inUse,
            modes,
            () -> StoreTally.of(timers.nanos(), ways, standby, fleet),
            new CatchingUp());
    this.upkeep =
        new Upkeep(inUse.store(), inUse.places(), inUse.guard(), timers, fleet, standby, this);
    this.unasked = new Unasked(upkeep.guarded());
    this.byMode = new ByMode(unasked, inUse.local(), fleet, timers);
    upkeep.start();
  }

  /**
   * The same store behind the same kind of guard, for trials: nothing that becomes of them is known
   * to anybody, and there is more time for each.
   */
  Store trial() {
    Store guarded =
        new Guarded(
            inUse.store(),
            inUse.places(),
            inUse.guard().withDeadline(TRIAL_DEADLINE),
            timers,
            new Rehearsal.Unmoved());
    return new ByMode(guarded, new MemoryStore(), Fleet.alone(), timers);
  }

  private final class CatchingUp implements StoreOutages.Recovery {
    @Override
    public int pending() {
      return standby.owing() + standby.paying();
    }

    @Override
    public boolean knowsMemory() {
      return fleet.knowsMemory();
    }
  }

  /** What requests ask. */
  Store asked() {
    return byMode;
  }

  Standby standby() {
    return standby;
  }

  @Override
  public void told(@Nullable Throwable failure) {
    storeOutages.onAnswer(failure == null);
    if (failure == null) {
      answers.increment();
    } else {
      (StoreFailure.effect(failure) == Effect.NONE ? undone : unknown).increment();
    }
  }

  @Override
  public void failed(String place, Throwable failure) {
    storeOutages.onFailure(place, failure);
  }

  @Override
  public void lost(String place, Throwable failure) {
    outages.increment();
    storeOutages.onLost(place, failure);
  }

  @Override
  public void found() {
    storeOutages.onRecovered();
  }

  @Override
  public void unlisted(Throwable failure) {
    log.unlisted(String.valueOf(failure.getMessage()));
  }

  @Override
  public void listed() {
    log.listed();
  }

  /** What somebody should look after. */
  List<String> problems() {
    List<String> problems = new ArrayList<>();
    Optional.ofNullable(upkeep.unlisted()).map(StoreLog::unlistedLine).ifPresent(problems::add);
    problems.addAll(storeOutages.problems(upkeep.silent()));
    return problems;
  }

  /** How it does, for operators: all that is told of it beside {@link #problems}. */
  JsonObject status() {
    FailureModes rules = modes.get();
    JsonObject status = new JsonObject().put("answers", isAnswering());
    if (!address.isEmpty()) {
      status.put("address", address);
    }
    status
        .put("breaker", breaker())
        .put("servers", servers())
        .put("owing", standby.owing())
        .put(
            "whenStoreFails",
            new JsonObject()
                .put("allow", rules.allow())
                .put("deny", rules.deny())
                .put("local", rules.local()));
    JsonArray lost = storeOutages.json(upkeep.silent());
    return lost.isEmpty() ? status : status.put("outages", lost);
  }

  /** Whether it gave a sign of life lately, and is asked. */
  boolean isAnswering() {
    return upkeep.isAnswering();
  }

  /** Of the breaker, in a word. */
  String breaker() {
    return upkeep.guarded().state();
  }

  int servers() {
    return fleet.size();
  }

  /** Whether there are so many servers, and the others have heard of this one. */
  boolean isKnownTo(int servers) {
    return fleet.size() == servers && fleet.isKnown();
  }

  ByMode.Counts counts() {
    return byMode.counts();
  }

  ByMode byMode() {
    return byMode;
  }

  long answers() {
    return answers.sum();
  }

  long failures(Effect effect) {
    return (effect == Effect.NONE ? undone : unknown).sum();
  }

  /** Requests of which it was not asked because it did not answer others. */
  long notAsked() {
    return unasked.count();
  }

  /** Requests that got no answer of it, whether or not it was asked. */
  long unanswered() {
    return undone.sum() + unknown.sum() + notAsked();
  }

  /** How often it was gone. */
  long outages() {
    return outages.sum();
  }

  /** Gives back what is leased, and says goodbye to the other servers. */
  @Override
  public void close() {
    long lost = standby.lost();
    CompletableFuture<Void> paid = upkeep.stop().toCompletableFuture();
    CompletableFuture<Void> given = byMode.close().toCompletableFuture();
    CompletableFuture<Void> left = fleet.leave().toCompletableFuture();
    var unused =
        CompletableFuture.allOf(paid, given, left)
            .exceptionally(failure -> null)
            .completeOnTimeout(null, GOODBYE.toMillis(), TimeUnit.MILLISECONDS)
            .join();
    timers.close();
    storeOutages.flush();
    log.unpaid(standby.owing(), standby.lost() - lost, standby.paying());
    log.await(GOODBYE);
  }
}
