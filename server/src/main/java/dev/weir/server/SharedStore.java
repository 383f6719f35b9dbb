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
import dev.weir.lease.ByMode;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * A store elsewhere, and all that stands between it and requests: leases and remembered denials, a
 * deadline and a breaker, and what counts while it is gone.
 */
final class SharedStore implements Guarded.Watcher, AutoCloseable {
  private static final Logger LOG = System.getLogger(SharedStore.class.getName());

  /** How often it is asked for a sign of life, and told what is owed to it. */
  private static final Duration PROBES = Duration.ofSeconds(1);

  /** What leases need to be given back, when a server stops. */
  private static final Duration GOODBYE = Duration.ofSeconds(1);

  private final Store store;
  private final SystemTimers timers = Timers.system();
  private final Fleet fleet;
  private final Standby standby;
  private final Guarded guarded;
  private final ByMode byMode;
  private final LongAdder answers = new LongAdder();
  private final LongAdder undone = new LongAdder();
  private final LongAdder unknown = new LongAdder();
  private volatile boolean answering = true;

  SharedStore(StoreInUse inUse) {
    this.store = inUse.store();
    String self = UUID.randomUUID().toString();
    this.fleet = inUse.roster().map(roster -> new Fleet(self, roster)).orElseGet(Fleet::alone);
    this.standby = new Standby(inUse.local(), fleet, Ticker.system());
    this.guarded = new Guarded(store, inUse.guard(), timers, this);
    this.byMode = new ByMode(guarded, inUse.local(), fleet, timers);
    announce();
    timers.after(PROBES.toNanos(), this::probe);
  }

  /** What requests ask. */
  Store asked() {
    return byMode;
  }

  Standby standby() {
    return standby;
  }

  private void announce() {
    fleet
        .announce()
        .whenComplete((forgot, failure) -> timers.after(Fleet.PERIOD.toNanos(), this::announce));
  }

  private void probe() {
    guarded.probe().whenComplete((decision, failure) -> heard(failure));
    if (guarded.isAsked()) {
      var unused = standby.settle(store, false); // what single failures left behind
    }
    timers.after(PROBES.toNanos(), this::probe);
  }

  private void heard(@Nullable Throwable failure) {
    if (failure != null) {
      lost(failure);
    } else if (guarded.isAsked()) {
      found();
    }
  }

  @Override
  public void told(@Nullable Throwable failure) {
    if (failure == null) {
      answers.increment();
    } else {
      (effect(failure) == Effect.NONE ? undone : unknown).increment();
    }
  }

  @Override
  public void opened(Throwable failure) {
    lost(failure);
  }

  /** Before the store is asked again, it is told what it has missed. */
  @Override
  public CompletionStage<?> answering() {
    return fleet
        .announce()
        .exceptionally(failure -> false)
        .thenCompose(forgot -> standby.settle(store, forgot));
  }

  @Override
  public void closed() {
    found();
    var unused = standby.settle(store, false);
  }

  private synchronized void lost(Throwable failure) {
    if (answering) {
      answering = false;
      String rest = "; until it does, when-store-fails of each rule decides";
      LOG.log(Level.WARNING, "The store does not answer: " + cause(failure).getMessage() + rest);
    }
  }

  private synchronized void found() {
    if (!answering) {
      answering = true;
      LOG.log(Level.INFO, "The store answers again");
    }
  }

  /** Whether it gave the last sign of life that it was asked for, and is asked. */
  boolean isAnswering() {
    return answering;
  }

  /** Of the breaker, in a word. */
  String breaker() {
    return guarded.state();
  }

  int servers() {
    return fleet.size();
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

  long failures() {
    return undone.sum() + unknown.sum();
  }

  /** Gives back what is leased, and says goodbye to the other servers. */
  @Override
  public void close() {
    CompletableFuture<Void> given = byMode.close().toCompletableFuture();
    CompletableFuture<Void> left = fleet.leave().toCompletableFuture();
    try {
      CompletableFuture.allOf(given, left).get(GOODBYE.toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (ExecutionException | TimeoutException e) {
      LOG.log(Level.DEBUG, "The store did not hear that this server stops", e);
    }
    timers.close();
  }

  /** What a failure means for what was asked; whatever is not known may have been done. */
  static Effect effect(Throwable failure) {
    return cause(failure) instanceof StoreFailure known ? known.effect() : Effect.UNKNOWN;
  }

  /** The failure itself, without what stages wrap around it. */
  static Throwable cause(Throwable failure) {
    return failure instanceof CompletionException && failure.getCause() != null
        ? failure.getCause()
        : failure;
  }
}
