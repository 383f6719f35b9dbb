package dev.weir.shared.fleet;

import dev.weir.testkit.contract.FleetTableContract;
import dev.weir.time.Ticker;

/** The tables in this process fulfil the contract. */
class MemoryFleetTableContractTest extends FleetTableContract {
  private final FleetTables tables = FleetTables.inProcess(Ticker.system());
  private int used;

  @Override
  protected FleetTables tables() {
    return tables;
  }

  @Override
  protected String unusedName() {
    return "t" + "x".repeat(used++);
  }
}
