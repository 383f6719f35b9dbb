package dev.weir.server;

import dev.weir.Store;
import dev.weir.StoreFailure;
import dev.weir.StoreFailure.Effect;
import dev.weir.Ticker;
import dev.weir.guard.Fleet;
import dev.weir.guard.Standby;
import dev.weir.guard.SystemTimers;
import dev.weir.guard.Timers;
import dev.weir.guard.Upkeep;
import dev.weir.lease.ByMode;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * A store elsewhere, and all that stands between it and requests: leases and remembered denials, a
 * deadline and a breaker, and what counts while it is gone.
 */
final class SharedStore implements Upkeep.Watcher, AutoCloseable {
  private static final Logger LOG = System.getLogger(SharedStore.class.getName());

  /** What leases need to be given back, when a server stops. */
  private static final Duration GOODBYE = Duration.ofSeconds(1);

  private final SystemTimers timers = Timers.system();
  private final Fleet fleet;
  private final Standby standby;
  private final Upkeep upkeep;
  private final ByMode byMode;
  private final LongAdder answers = new LongAdder();
  private final LongAdder undone = new LongAdder();
  private final LongAdder unknown = new LongAdder();
  private CompletableFuture<Void> said = CompletableFuture.completedFuture(null);

  SharedStore(StoreInUse inUse) {
    Rehearsal.of(timers, (rule, outcome) -> {});
    String self = UUID.randomUUID().toString();
    this.fleet = inUse.roster().map(roster -> new Fleet(self, roster)).orElseGet(Fleet::alone);
    this.standby = new Standby(inUse.local(), fleet, Ticker.system());
    this.upkeep = new Upkeep(inUse.store(), inUse.guard(), timers, fleet, standby, this);
    this.byMode = new ByMode(upkeep.guarded(), inUse.local(), fleet, timers);
    upkeep.start();
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
    if (failure == null) {
      answers.increment();
    } else {
      (StoreFailure.effect(failure) == Effect.NONE ? undone : unknown).increment();
    }
  }

  @Override
  public void lost(Throwable failure) {
    String rest = "; until it does, when-store-fails of each rule decides";
    say(Level.WARNING, "The store does not answer: " + failure.getMessage() + rest);
  }

  @Override
  public void found() {
    say(Level.INFO, "The store answers again");
  }

  @Override
  public void unlisted(Throwable failure) {
    say(Level.WARNING, unlisted(String.valueOf(failure.getMessage())));
  }

  @Override
  public void listed() {
    say(Level.INFO, "The store keeps the list of servers again");
  }

  /** In the order in which it is said, but not on the path of requests: a log may be slow. */
  private synchronized void say(Level level, String line) {
    // Also if the line before could not be written.
    said =
        said.handleAsync(
            (done, failure) -> {
              LOG.log(level, line);
              return done;
            });
  }

  private static String unlisted(String why) {
    return "The store does not keep the list of servers: "
        + why
        + "; until it does nothing is leased, and while the store is gone each server goes by the number it heard last";
  }

  /** What somebody should look after. */
  Optional<String> problem() {
    return Optional.ofNullable(upkeep.unlisted()).map(SharedStore::unlisted);
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

  long failures() {
    return undone.sum() + unknown.sum();
  }

  /** Gives back what is leased, and says goodbye to the other servers. */
  @Override
  public void close() {
    CompletableFuture<Void> paid = upkeep.stop().toCompletableFuture();
    CompletableFuture<Void> given = byMode.close().toCompletableFuture();
    CompletableFuture<Void> left = fleet.leave().toCompletableFuture();
    try {
      CompletableFuture.allOf(paid, given, left).get(GOODBYE.toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (ExecutionException | TimeoutException e) {
      LOG.log(Level.DEBUG, "The store did not hear that this server stops", e);
    }
    timers.close();
    if (standby.owing() > 0) {
      String rest = " callers were let pass without the store, and it will not hear of that";
      LOG.log(Level.WARNING, standby.owing() + rest);
    }
  }
}
