package dev.weir.guard;

import dev.weir.guard.Roster.Roll;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
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
   * After so many announcements in a row everybody else has made one, too, and heard of this
   * server; and leases that they took before that are over.
   */
  private static final int KNOWN = 4;

  /** After so many periods without news others may soon believe that this server is gone. */
  private static final int FORGOTTEN = 5;

  private final String self;
  private final @Nullable Roster roster;
  private volatile Heard heard = new Heard(new Place(0, 1), null, 0);
  private volatile int forgotten;
  private int missed;

  /**
   * @param times how often in a row the same list was heard
   */
  private record Heard(Place place, @Nullable String memory, int times) {}

  /** The place of a server among all: one of so many, counted from 0. */
  public record Place(int rank, int size) {}

  public Fleet(String self, Roster roster) {
    this.self = self;
    this.roster = roster;
  }

  private Fleet() {
    this.self = "";
    this.roster = null;
  }

  /** A server that shares its counters with nobody. */
  public static Fleet alone() {
    return new Fleet();
  }

  public int size() {
    return heard.place.size;
  }

  public Place place() {
    return heard.place;
  }

  /** Whether all others have heard of this server, and hold no more than their part. */
  public boolean isKnown() {
    return roster == null || heard.times >= KNOWN;
  }

  /** How often the store has forgotten everything, as far as was heard. */
  public int forgotten() {
    return forgotten;
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
    return roster
        .announce(self, LASTING)
        .whenComplete(
            (roll, failure) -> {
              if (failure != null) {
                missed();
              }
            })
        .thenApply(this::hear);
  }

  private synchronized boolean hear(Roll roll) {
    Heard before = heard;
    boolean same = roll.memory().equals(before.memory);
    int times = same ? Math.min(KNOWN, before.times + 1) : 1;
    int rank = Math.max(0, roll.servers().indexOf(self));
    Place told = new Place(rank, Math.max(1, roll.servers().size()));
    boolean early = times < KNOWN && told.size < before.place.size;
    heard = new Heard(early ? before.place : told, roll.memory(), times);
    missed = 0;
    boolean forgot = before.memory != null && !same;
    if (forgot) {
      forgotten = forgotten + 1;
    }
    return forgot;
  }

  /** A period has passed in which nothing was heard. */
  public synchronized void missed() {
    if (++missed >= FORGOTTEN) {
      heard = new Heard(heard.place, heard.memory, 0);
    }
  }

  /** Says goodbye, so that the others need not wait until it shows. */
  public CompletionStage<Void> leave() {
    return roster == null ? CompletableFuture.completedStage(null) : roster.leave(self);
  }
}
