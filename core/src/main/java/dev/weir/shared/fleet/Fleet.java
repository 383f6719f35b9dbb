package dev.weir.shared.fleet;

import dev.weir.async.Scheduler;
import dev.weir.shared.fleet.Roster.Roll;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The servers that share a store, as this server last saw them in the roster.
 *
 * <p><b>How.</b> Every second each server announces itself in the {@link Roster} and receives the
 * list of all servers. During an outage the last list stays valid.
 *
 * <p><b>Why shrinking is delayed.</b> A longer list, which makes this server's part smaller, is
 * applied at once. A roster that has just begun anew, or that this server was missing from for a
 * while, lacks servers that will be back in a moment: for the first seconds it makes no part
 * larger.
 *
 * <p>Safe for use by any number of threads.
 */
public final class Fleet {
  /** How long an announcement is valid: a server that is silent for longer is gone. */
  public static final Duration ENTRY_LIFETIME = Duration.ofSeconds(10);

  /** The interval between two calls of {@link #announce}. */
  public static final Duration ANNOUNCE_INTERVAL = Duration.ofSeconds(1);

  /**
   * After this time every other server has announced itself and has seen this one, and the leases
   * that others took before that have ended. It is a moment less than three periods, which are
   * never exact.
   */
  private static final Duration SETTLE_TIME = ANNOUNCE_INTERVAL.multipliedBy(3).minusMillis(100);

  /** After this time without an update other servers may soon regard this one as gone. */
  private static final Duration STALE_TIME = ANNOUNCE_INTERVAL.multipliedBy(5);

  private final String self;
  private final @Nullable Roster roster;
  private final LongSupplier nanos;
  private volatile View view;
  private volatile int dataLosses;
  private volatile int updates;

  /**
   * The roster as this server last saw it.
   *
   * @param epoch null before the first update
   * @param sinceNanos since when the same roster has been seen without a gap
   * @param updatedNanos the time of the last update
   */
  private record View(
      Position position, @Nullable String epoch, long sinceNanos, long updatedNanos) {
    boolean isSettled() {
      return epoch != null && updatedNanos - sinceNanos >= SETTLE_TIME.toNanos();
    }
  }

  /**
   * The position of a server in a fleet.
   *
   * @param rank counted from 0
   * @param size the number of servers, at least 1
   */
  public record Position(int rank, int size) {}

  /**
   * A fleet that is kept in a roster.
   *
   * @param self the name of this server, unique in the fleet
   */
  public Fleet(String self, Roster roster, Scheduler scheduler) {
    this(self, roster, scheduler::nanos);
  }

  private Fleet(String self, @Nullable Roster roster, LongSupplier nanos) {
    this.self = self;
    this.roster = roster;
    this.nanos = nanos;
    long now = nanos.getAsLong();
    this.view = new View(new Position(0, 1), null, now, now);
  }

  /** A fleet of this server alone. */
  public static Fleet alone() {
    return new Fleet("", null, () -> 0);
  }

  /** The number of servers, at least 1. */
  public int size() {
    return view.position.size;
  }

  /** The position of this server. */
  public Position position() {
    return view.position;
  }

  /** Whether every other server has seen this one, and holds no more than its part. */
  public boolean isKnown() {
    View last = view;
    return roster == null || (last.isSettled() && !isStale(last));
  }

  /** How often the store lost all its data, as far as the roster showed. */
  public int dataLosses() {
    return dataLosses;
  }

  /** How often the roster was updated; while it grows, {@link #dataLosses} is current. */
  public int updates() {
    return updates;
  }

  /** Whether the roster shows a loss of data; that of a store with several shards does not. */
  public boolean detectsDataLoss() {
    String epoch = view.epoch;
    return epoch != null && !epoch.isEmpty();
  }

  /**
   * Announces this server, and updates the list of the others.
   *
   * @return whether the store lost all its data since the last update
   */
  public CompletionStage<Boolean> announce() {
    if (roster == null) {
      return CompletableFuture.completedStage(false);
    }
    return roster.announce(self, ENTRY_LIFETIME).thenApply(this::update);
  }

  /** Others may have taken over the part of a server that was silent for long, or paused. */
  private boolean isStale(View last) {
    return nanos.getAsLong() - last.updatedNanos >= STALE_TIME.toNanos();
  }

  private synchronized boolean update(Roll roll) {
    View before = view;
    boolean sameEpoch = roll.memory().equals(before.epoch);
    boolean continuous = sameEpoch && !isStale(before);
    int rank = Math.max(0, roll.servers().indexOf(self));
    Position listed = new Position(rank, Math.max(1, roll.servers().size()));
    long now = nanos.getAsLong();
    View next = new View(listed, roll.memory(), continuous ? before.sinceNanos : now, now);
    boolean shrinksEarly = !next.isSettled() && listed.size < before.position.size;
    view = shrinksEarly ? new View(before.position, next.epoch, next.sinceNanos, now) : next;
    boolean dataLost = before.epoch != null && !sameEpoch;
    if (dataLost) {
      dataLosses = dataLosses + 1;
    }
    updates = updates + 1;
    return dataLost;
  }

  /** Removes this server from the roster, so that the others need not wait for its expiry. */
  public CompletionStage<Void> leave() {
    return roster == null ? CompletableFuture.completedStage(null) : roster.leave(self);
  }
}
