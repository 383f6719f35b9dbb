package dev.weir.guard;

import dev.weir.Decision;
import dev.weir.Store;
import dev.weir.StoreFailure;
import dev.weir.StoreFailure.Effect;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * What a server does for a store that it shares, beside asking it.
 *
 * <p>Each second it asks for a sign of life, tells of itself, hears of the others, and pays what is
 * owed; a store that cannot be reached is looked for more often. Once it is back, it is told what
 * it has missed before requests go to it again.
 */
public final class Upkeep {
  /** A store that could not even be asked may be there again soon. */
  private static final long SOON_NANOS = Fleet.PERIOD.dividedBy(4).toNanos();

  /** After so many failures in a row the store is gone, or keeps no list, and somebody is told. */
  private static final int NOTEWORTHY = 3;

  private static final CompletionStage<Void> NOTHING = CompletableFuture.completedStage(null);

  private final Store store;
  private final Fleet fleet;
  private final Standby standby;
  private final Timers timers;
  private final Watcher watcher;
  private final Guarded guarded;
  private final Map<String, Integer> signsMissed = new HashMap<>();
  private final Set<String> silent = new TreeSet<>();
  private final Set<String> sought = ConcurrentHashMap.newKeySet();
  private volatile boolean answering = true;
  private volatile boolean heard;
  private volatile @Nullable String unlisted;
  private volatile boolean closed;
  private int rollsMissed;

  /** Hears how the store does. */
  public interface Watcher {
    /** An answer to a request came, or none did. Called on the path of a request: be quick. */
    void told(@Nullable Throwable failure);

    /**
     * That place did not answer somebody, a request or a probe, for this reason. Called on the path
     * of a request: be quick.
     */
    default void failed(String place, Throwable failure) {}

    /** That place of the store is gone. Told once, until all is {@link #found}. */
    void lost(String place, Throwable failure);

    /** All of it is back, and asked again. */
    void found();

    /** It answers, but does not keep the list of servers. Told once, until it does. */
    void unlisted(Throwable failure);

    /** It keeps the list again. */
    void listed();
  }

  /**
   * @param store that is shared, as it is
   * @param places of it
   */
  public Upkeep(
      Store store,
      Places places,
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
    this.guarded = new Guarded(store, places, settings, timers, new Recovery());
  }

  /** The store, for requests. */
  public Guarded guarded() {
    return guarded;
  }

  /** Whether all of the store gave a sign of life lately, and is asked. */
  public boolean isAnswering() {
    return answering;
  }

  /** The places of the store that did not, or are not. */
  public synchronized Set<String> silent() {
    return Set.copyOf(silent);
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
    timers.after(Fleet.PERIOD.toNanos(), this::tick);
    Map<String, CompletionStage<Decision>> signs = guarded.probe();
    forgetAllBut(signs.keySet());
    List<CompletableFuture<Boolean>> there = new ArrayList<>();
    signs.forEach(
        (place, sign) ->
            there.add(
                sign.handle((done, failure) -> isThere(place, failure)).toCompletableFuture()));
    var unused =
        CompletableFuture.allOf(there.toArray(CompletableFuture<?>[]::new))
            .thenCompose(
                done -> there.stream().anyMatch(CompletableFuture::join) ? catchUp() : NOTHING);
  }

  /**
   * Looks again soon, if that place is not asked, and has done nothing: because there is no
   * connection, as a rule. Who was asked in vain is left alone until the next second.
   */
  private void seekSoon(String place, @Nullable Throwable failure) {
    boolean undone = failure != null && StoreFailure.effect(failure) == Effect.NONE;
    if (undone && !guarded.isAsked(place) && sought.add(place)) {
      timers.after(SOON_NANOS, () -> seek(place));
    }
  }

  private void seek(String place) {
    sought.remove(place);
    if (!closed && !guarded.isAsked(place)) {
      var unused = guarded.probe(place).whenComplete((done, failure) -> seekSoon(place, failure));
    }
  }

  /** Whether a place is asked, which gave a sign of life, or not. */
  private boolean isThere(String place, @Nullable Throwable failure) {
    if (failure != null) {
      missed(place, failure);
      seekSoon(place, failure);
    } else if (guarded.isAsked(place)) {
      answered(place);
      return true;
    }
    return false;
  }

  /** Tells the store who is here and what it has missed. */
  private CompletionStage<Void> catchUp() {
    if (closed) {
      return NOTHING;
    }
    return fleet
        .announce()
        .handle(
            (forgot, failure) -> {
              heard = failure == null;
              listed(failure);
              return failure == null && forgot;
            })
        .thenCompose(this::settle);
  }

  /** Pays; but not before it is known whether the store has forgotten, for then it is told more. */
  private CompletionStage<Void> settle(boolean forgot) {
    return heard || unlisted != null
        ? standby.settle(store, guarded::isReachable, forgot)
        : NOTHING;
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

  private synchronized void missed(String place, Throwable failure) {
    if (signsMissed.merge(place, 1, Integer::sum) >= NOTEWORTHY) {
      lost(place, failure);
    }
  }

  private synchronized void lost(String place, Throwable failure) {
    if (silent.add(place)) {
      answering = false;
      watcher.lost(place, StoreFailure.cause(failure));
    }
  }

  private synchronized void answered(String place) {
    signsMissed.remove(place);
    silent.remove(place);
    found();
  }

  /** Places come and go; one that is no more need not answer. */
  private synchronized void forgetAllBut(Set<String> places) {
    signsMissed.keySet().retainAll(places);
    silent.retainAll(places);
    found();
  }

  private void found() {
    if (!answering && silent.isEmpty()) {
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
    public void failed(String place, Throwable failure) {
      watcher.failed(place, failure);
    }

    @Override
    public void opened(String place, Throwable failure) {
      heard = false;
      lost(place, failure);
    }

    @Override
    public CompletionStage<?> answering() {
      return catchUp();
    }

    @Override
    public void closed(String place) {
      answered(place);
      var unused = settle(false); // what was granted meanwhile
    }
  }

  /** Does nothing any more. What is owed is paid first, if the store answers. */
  public CompletionStage<Void> stop() {
    closed = true;
    return standby.settle(store, guarded::isReachable, false);
  }
}
