package dev.weir.guard;

import dev.weir.Store;
import dev.weir.StoreFailure;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * What a server does for a store that it shares, beside asking it.
 *
 * <p>Each second it asks for a sign of life, tells of itself, hears of the others, and pays what is
 * owed. Once the store is back, it is told what it has missed before requests go to it again.
 */
public final class Upkeep {
  /** After so many failures in a row the store is gone, or keeps no list, and somebody is told. */
  private static final int NOTEWORTHY = 3;

  private final Store store;
  private final Fleet fleet;
  private final Standby standby;
  private final Timers timers;
  private final Watcher watcher;
  private final Guarded guarded;
  private volatile boolean answering = true;
  private volatile @Nullable String unlisted;
  private volatile boolean closed;
  private int signsMissed;
  private int rollsMissed;

  /** Hears how the store does. */
  public interface Watcher {
    /** An answer to a request came, or none did. Called on the path of a request: be quick. */
    void told(@Nullable Throwable failure);

    /** The store is gone. Told once, until it is {@link #found}. */
    void lost(Throwable failure);

    /** It is back, and asked again. */
    void found();

    /** It answers, but does not keep the list of servers. Told once, until it does. */
    void unlisted(Throwable failure);

    /** It keeps the list again. */
    void listed();
  }

  /**
   * @param store that is shared, as it is
   */
  public Upkeep(
      Store store,
      GuardSettings settings,
      Timers timers,
      Fleet fleet,
      Standby standby,
      Watcher watcher) {
    this.store = store;
    this.fleet = fleet;
    this.standby = standby;
    this.timers = timers;
    this.watcher = watcher;
    this.guarded = new Guarded(store, settings, timers, new Recovery());
  }

  /** The store, for requests. */
  public Guarded guarded() {
    return guarded;
  }

  /** Whether the store gave a sign of life lately, and is asked. */
  public boolean isAnswering() {
    return answering;
  }

  /** Why the store does not keep the list of servers, if it does not. */
  public @Nullable String unlisted() {
    return unlisted;
  }

  /** Begins, and goes on until it is stopped. */
  public void start() {
    var unused = catchUp();
    timers.after(Fleet.PERIOD.toNanos(), this::tick);
  }

  private void tick() {
    if (closed) {
      return;
    }
    var unused = guarded.probe().whenComplete((decision, failure) -> probed(failure));
    timers.after(Fleet.PERIOD.toNanos(), this::tick);
  }

  private void probed(@Nullable Throwable failure) {
    if (failure != null) {
      fleet.missed();
      missed(failure);
    } else if (guarded.isAsked()) {
      answered();
      var unused = catchUp();
    }
  }

  /** Tells the store who is here and what it has missed. */
  private CompletionStage<Void> catchUp() {
    return fleet
        .announce()
        .handle(
            (forgot, failure) -> {
              listed(failure);
              return failure == null && forgot;
            })
        .thenCompose(forgot -> standby.settle(store, forgot));
  }

  private synchronized void listed(@Nullable Throwable failure) {
    rollsMissed = failure == null ? 0 : rollsMissed + 1;
    if (failure == null) {
      if (unlisted != null) {
        unlisted = null;
        watcher.listed();
      }
    } else if (rollsMissed >= NOTEWORTHY && answering && unlisted == null) {
      Throwable cause = StoreFailure.cause(failure);
      unlisted = String.valueOf(cause.getMessage());
      watcher.unlisted(cause);
    }
  }

  private synchronized void missed(Throwable failure) {
    if (++signsMissed >= NOTEWORTHY) {
      lost(failure);
    }
  }

  private synchronized void lost(Throwable failure) {
    if (answering) {
      answering = false;
      watcher.lost(StoreFailure.cause(failure));
    }
  }

  private synchronized void answered() {
    signsMissed = 0;
    if (!answering) {
      answering = true;
      watcher.found();
    }
  }

  /** What is done when the store comes and goes. */
  private final class Recovery implements Guarded.Watcher {
    @Override
    public void told(@Nullable Throwable failure) {
      watcher.told(failure);
    }

    @Override
    public void opened(Throwable failure) {
      lost(failure);
    }

    @Override
    public CompletionStage<?> answering() {
      return catchUp();
    }

    @Override
    public void closed() {
      answered();
      var unused = standby.settle(store, false); // what was granted meanwhile
    }
  }

  /** Does nothing any more. What is owed is paid first, if the store answers. */
  public CompletionStage<Void> stop() {
    closed = true;
    return guarded.isAsked()
        ? standby.settle(store, false)
        : CompletableFuture.completedStage(null);
  }
}
