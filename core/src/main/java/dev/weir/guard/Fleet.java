package dev.weir.guard;

import dev.weir.guard.Roster.Roll;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * How many servers share the counters, as far as this one has heard.
 *
 * <p>Each tells the store of itself every few seconds, and hears who else did. What it heard last
 * is what it goes by while the store is gone.
 */
public final class Fleet {
  /** A server that has not been heard of for so long is gone. */
  public static final Duration LASTING = Duration.ofSeconds(10);

  /** How often to {@link #announce}: a third, so that two may fail. */
  public static final Duration PERIOD = Duration.ofSeconds(3);

  private final String self;
  private final @Nullable Roster roster;
  private volatile Heard heard = new Heard(1, 0, null);

  private record Heard(int size, int rank, @Nullable String memory) {}

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
    return heard.size;
  }

  public Place place() {
    Heard now = heard;
    return new Place(now.rank, now.size);
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

  private boolean hear(Roll roll) {
    String before = heard.memory;
    int rank = Math.max(0, roll.servers().indexOf(self));
    heard = new Heard(Math.max(1, roll.servers().size()), rank, roll.memory());
    return before != null && !before.equals(roll.memory());
  }

  /** Says goodbye, so that the others need not wait until it shows. */
  public CompletionStage<Void> leave() {
    return roster == null ? CompletableFuture.completedStage(null) : roster.leave(self);
  }
}
