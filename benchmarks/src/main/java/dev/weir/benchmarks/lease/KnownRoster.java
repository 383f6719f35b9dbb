package dev.weir.benchmarks.lease;

import dev.weir.guard.Roster;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** Says that there are so many servers, whoever asks. */
record KnownRoster(int servers) implements Roster {

  @Override
  public CompletionStage<Roll> announce(String server, Duration lasting) {
    List<String> all = new ArrayList<>(List.of(server));
    for (int i = 1; i < servers; i++) {
      all.add("other-" + i);
    }
    return CompletableFuture.completedStage(new Roll(all, "one and the same"));
  }

  @Override
  public CompletionStage<Void> leave(String server) {
    return CompletableFuture.completedStage(null);
  }
}
