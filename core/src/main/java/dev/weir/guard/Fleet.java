package dev.weir.guard;

import dev.weir.guard.Roster.Roll;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * How many servers share the counters, as far as this one has heard.
 *
 * <p>Each tells the store of itself every second, and hears who else did. What it heard last is
 * what it goes by while the store is gone.
 *
 * <p>News is believed at once if it makes this server's part smaller. A list that has just begun
 * anew, or that this server was missing from for a while, lacks others who will be back in a
 * moment: for the first seconds it makes no part larger.
 */
public final class Fleet {
  /** A server that has not been heard of for so long is gone. */
  public static final Duration LASTING = Duration.ofSeconds(10);

  /** How often to {@link #announce}. */
  public static final Duration PERIOD = Duration.ofSeconds(1);

  /**
   * After so long everybody else has announced itself, too, and heard of this server; and leases
   * that they took before that are over. A moment less than three periods, for they are never
   * exact.
   */
  private static final Duration KNOWN = PERIOD.multipliedBy(3).minusMillis(100);

  /** After so long without news others may soon believe that this server is gone. */
  private static final Duration FORGOTTEN = PERIOD.multipliedBy(5);

  private final String self;
  private final @Nullable Roster roster;
  private final LongSupplier nanos;
  private volatile Heard heard;
  private volatile int forgotten;
  private volatile int announced;

  /**
   * @param sinceNanos since when the same list has been heard, without a gap
   * @param nanos when it was last heard
   */
  private record Heard(Place place, @Nullable String memory, long sinceNanos, long nanos) {
    boolean isKnown() {
      return memory != null && nanos - sinceNanos >= KNOWN.toNanos();
    }
  }

  /** The place of a server among all: one of so many, counted from 0. */
  public record Place(int rank, int size) {}

  public Fleet(String self, Roster roster, Timers timers) {
    this(self, roster, timers::nanos);
  }

  private Fleet(String self, @Nullable Roster roster, LongSupplier nanos) {
    this.self = self;
    this.roster = roster;
    this.nanos = nanos;
    long now = nanos.getAsLong();
    this.heard = new Heard(new Place(0, 1), null, now, now);
  }

  /** A server that shares its counters with nobody. */
  public static Fleet alone() {
    return new Fleet("", null, () -> 0);
  }

  public int size() {
    return heard.place.size;
  }

  public Place place() {
    return heard.place;
  }

  /** Whether all others have heard of this server, and hold no more than their part. */
  public boolean isKnown() {
    Heard last = heard;
    return roster == null || (last.isKnown() && !isForgotten(last));
  }

  /** How often the store has forgotten everything, as far as was heard. */
  public int forgotten() {
    return forgotten;
  }

  /** How often the list was heard; if it grows, {@link #forgotten} is about the present. */
  public int announced() {
    return announced;
  }

  /** Whether the store says when it has forgotten everything. One of several parts does not. */
  public boolean knowsMemory() {
    String memory = heard.memory;
    return memory != null && !memory.isEmpty();
  }

  /**
   * Tells the store of this server, and hears of the others.
   *
   * @return whether the store has forgotten everything since it was last heard
   */
  public CompletionStage<Boolean> announce() {
    if (roster == null) {
      return CompletableFuture.completedStage(false);
    }
    return roster.announce(self, LASTING).thenApply(this::hear);
  }

  /** Others may have had the part of a server that was silent for long, or stood still. */
  private boolean isForgotten(Heard last) {
    return nanos.getAsLong() - last.nanos >= FORGOTTEN.toNanos();
  }

  private synchronized boolean hear(Roll roll) {
    Heard before = heard;
    boolean same = roll.memory().equals(before.memory);
    boolean goesOn = same && !isForgotten(before);
    int rank = Math.max(0, roll.servers().indexOf(self));
    Place told = new Place(rank, Math.max(1, roll.servers().size()));
    long now = nanos.getAsLong();
    Heard next = new Heard(told, roll.memory(), goesOn ? before.sinceNanos : now, now);
    boolean early = !next.isKnown() && told.size < before.place.size;
    heard = early ? new Heard(before.place, next.memory, next.sinceNanos, now) : next;
    boolean forgot = before.memory != null && !same;
    if (forgot) {
      forgotten = forgotten + 1;
    }
    announced = announced + 1;
    return forgot;
  }

  /** Says goodbye, so that the others need not wait until it shows. */
  public CompletionStage<Void> leave() {
    return roster == null ? CompletableFuture.completedStage(null) : roster.leave(self);
  }
}
