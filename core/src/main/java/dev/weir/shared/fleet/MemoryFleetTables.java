package dev.weir.shared.fleet;

import dev.weir.time.Ticker;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Tables in this process. Thread-safe. */
final class MemoryFleetTables implements FleetTables {
  private final Ticker ticker;
  private final Map<String, MemoryFleetTable> tables = new ConcurrentHashMap<>();

  MemoryFleetTables(Ticker ticker) {
    this.ticker = ticker;
  }

  @Override
  public FleetTable table(String name) {
    return tables.computeIfAbsent(
        FleetTables.checkedName(name), absent -> new MemoryFleetTable(ticker));
  }
}
