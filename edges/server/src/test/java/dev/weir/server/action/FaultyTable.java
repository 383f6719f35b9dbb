package dev.weir.server.action;

import dev.weir.StoreFailure;
import dev.weir.StoreFailure.Effect;
import dev.weir.shared.fleet.FleetTable;
import dev.weir.shared.fleet.FleetTables;
import dev.weir.time.Ticker;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

/** A table that can be down, and lose its data. */
final class FaultyTable implements FleetTable {
  private final Ticker clock;
  private FleetTable data;
  private int generation;
  boolean down;
  int puts;

  FaultyTable(Ticker clock) {
    this.clock = clock;
    this.data = FleetTables.inProcess(clock).table("actions");
  }

  void loseData() {
    data = FleetTables.inProcess(clock).table("actions");
    generation++;
  }

  private CompletionStage<Page> call(Supplier<CompletionStage<Page>> call) {
    if (down) {
      return CompletableFuture.failedStage(new StoreFailure(Effect.NONE, "down", null));
    }
    int now = generation;
    return call.get().thenApply(page -> new Page(version(page.version(), now), page.entries()));
  }

  /** No version of a table that was lost comes back. */
  private static String version(String version, int generation) {
    return version.equals(NO_VERSION) ? version : generation + "." + version;
  }

  @Override
  public CompletionStage<Page> put(List<Entry> entries) {
    puts++;
    return call(() -> data.put(entries));
  }

  @Override
  public CompletionStage<Page> remove(List<String> names) {
    return call(() -> data.remove(names));
  }

  @Override
  public CompletionStage<Page> read(String knownVersion) {
    return call(() -> data.read(knownVersion.replaceFirst("^" + generation + "\\.", "")));
  }
}
