package dev.weir.shared.fleet;

import dev.weir.internal.Rejections;
import dev.weir.time.Ticker;
import java.util.regex.Pattern;

/**
 * The tables that the servers of a fleet share, by name. An implementation is safe for use by any
 * number of threads.
 */
public interface FleetTables {
  /** The names that a table may have. */
  Pattern NAME = Pattern.compile("[a-z][a-z-]{0,30}");

  /**
   * The table of this name; calls with the same name give the same table.
   *
   * @throws IllegalArgumentException if the name is not lower-case letters and dashes, 31 at most
   */
  FleetTable table(String name);

  /** Tables in this process, for a server that shares its store with no other. */
  static FleetTables inProcess(Ticker ticker) {
    return new MemoryFleetTables(ticker);
  }

  /**
   * Returns the name of a table.
   *
   * @throws IllegalArgumentException if it does not match {@link #NAME}
   */
  static String checkedName(String name) {
    if (!NAME.matcher(name).matches()) {
      throw Rejections.of("table", name, "lower-case letters and dashes, 31 at most");
    }
    return name;
  }
}
