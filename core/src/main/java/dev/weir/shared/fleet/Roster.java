package dev.weir.shared.fleet;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionStage;

/**
 * The list of the servers that share a store, which the store itself holds. An implementation is
 * safe for use by any number of threads.
 */
public interface Roster {

  /**
   * Adds a server, or renews its entry, and returns the list.
   *
   * @param server the name of the server
   * @param lasting how long the entry is valid
   */
  CompletionStage<Roll> announce(String server, Duration lasting);

  /** Removes a server. */
  CompletionStage<Void> leave(String server);

  /**
   * The roster at one moment.
   *
   * @param servers all servers, in the same order for all of them
   * @param memory an id that is created with the roster; a different one means that the store lost
   *     all its data, and an empty one that this cannot be known
   */
  record Roll(List<String> servers, String memory) {
    /** Copies the list. */
    public Roll {
      servers = List.copyOf(servers);
    }
  }
}
