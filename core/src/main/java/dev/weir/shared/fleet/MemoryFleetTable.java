package dev.weir.shared.fleet;

import dev.weir.time.Ticker;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** A table in this process, which is never lost. Thread-safe. */
final class MemoryFleetTable implements FleetTable {
  private final Ticker ticker;
  private final Map<String, Kept> entries = new TreeMap<>();
  private long changes;

  @SuppressWarnings("ArrayRecordComponent") // never compared
  private record Kept(byte[] value, long untilMicros) {}

  MemoryFleetTable(Ticker ticker) {
    this.ticker = ticker;
  }

  @Override
  public synchronized CompletionStage<Page> put(List<Entry> more) {
    long now = dropExpired();
    Map<String, Kept> after = new HashMap<>(entries);
    for (Entry entry : more) {
      long until = now + entry.lasting().toNanos() / 1_000;
      after.put(entry.name(), new Kept(entry.value().clone(), until));
    }
    long bytes = after.values().stream().mapToLong(kept -> kept.value.length).sum();
    if (after.size() > MAX_ENTRIES || bytes > MAX_TABLE_BYTES) {
      return CompletableFuture.failedStage(new FleetTableFull(after.size(), bytes));
    }
    entries.putAll(after);
    changes++;
    return CompletableFuture.completedStage(page(now));
  }

  @Override
  public synchronized CompletionStage<Page> remove(List<String> names) {
    names.forEach(entries::remove);
    changes++;
    return CompletableFuture.completedStage(page(dropExpired()));
  }

  @Override
  public synchronized CompletionStage<Page> read(String knownVersion) {
    return CompletableFuture.completedStage(
        version().equals(knownVersion)
            ? new Page(knownVersion, Optional.empty())
            : page(dropExpired()));
  }

  private long dropExpired() {
    long now = ticker.micros();
    entries.values().removeIf(kept -> kept.untilMicros <= now);
    return now;
  }

  private Page page(long nowMicros) {
    List<Entry> list = new ArrayList<>();
    entries.forEach(
        (name, kept) -> {
          // Less than a millisecond left is rounded up; more than the maximum, after the clock was
          // set back, is rounded down.
          long millis = Math.max(1, (kept.untilMicros - nowMicros) / 1_000);
          Duration rest = Duration.ofMillis(Math.min(millis, MAX_LASTING.toMillis()));
          list.add(new Entry(name, kept.value.clone(), rest));
        });
    return new Page(version(), Optional.of(list));
  }

  private String version() {
    return changes == 0 ? NO_VERSION : String.valueOf(changes);
  }
}
