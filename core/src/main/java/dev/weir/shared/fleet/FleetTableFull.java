package dev.weir.shared.fleet;

/** Fails a {@code put} for which a {@link FleetTable} has no room. The table is unchanged. */
public final class FleetTableFull extends RuntimeException {
  private static final long serialVersionUID = 1;

  /** A table that would have so many entries and bytes. */
  public FleetTableFull(long entries, long bytes) {
    super(
        "table: "
            + entries
            + " entries of "
            + bytes
            + " bytes (expected: at most "
            + FleetTable.MAX_ENTRIES
            + " entries of "
            + FleetTable.MAX_TABLE_BYTES
            + " bytes)");
  }
}
