package dev.weir.guard;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionStage;

/** A list, kept with the counters, of the servers that share them. */
public interface Roster {

  /** Puts a server on the list until so long from now, and tells who is on it. */
  CompletionStage<Roll> announce(String server, Duration lasting);

  /** Takes a server off the list. */
  CompletionStage<Void> leave(String server);

  /**
   * Who was there.
   *
   * @param servers all of them, in an order that is the same for all
   * @param memory made up when the list began; another one means that the store has forgotten
   *     everything since
   */
  record Roll(List<String> servers, String memory) {
    public Roll {
      servers = List.copyOf(servers);
    }
  }
}
