package dev.weir.time;

/**
 * The wall clock of a store. A store reads it once per decision; nothing else in Weir reads it. An
 * implementation must be safe for use by any number of threads.
 */
@FunctionalInterface
public interface Ticker {

  /**
   * Microseconds since the Unix epoch. The time may step backwards: see {@link
   * dev.weir.Limit#maxAheadTicks()}.
   */
  long micros();

  /** The clock of this machine. */
  static Ticker system() {
    return SystemTicker.INSTANCE;
  }
}
