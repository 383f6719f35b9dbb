package dev.weir.shared;

import org.jspecify.annotations.Nullable;

/**
 * Receives failures, outages and recoveries of a shared store. A method that is not overridden does
 * nothing. Methods are called from any number of threads.
 */
public interface SharedStoreListener {
  /** A listener that ignores everything. */
  SharedStoreListener NONE = new SharedStoreListener() {};

  /**
   * A request was answered, or failed. Called on the path of a request: be quick.
   *
   * @param failure null if it was answered
   */
  default void onAnswer(@Nullable Throwable failure) {}

  /**
   * A request or a health probe failed in a shard. Called on the path of a request: be quick.
   *
   * @param shard the id of the shard, see {@link Shards}
   */
  default void onFailure(String shard, Throwable failure) {}

  /** A shard stopped answering. Called once for each shard, until {@link #onRecovered}. */
  default void onLost(String shard, Throwable failure) {}

  /** All shards answer again, and requests go to them. */
  default void onRecovered() {}

  /** The store answers, but roster updates fail. Called once, until they succeed again. */
  default void onRosterLost(Throwable failure) {}

  /** Roster updates succeed again. */
  default void onRosterRecovered() {}
}
