package dev.weir;

/** Tells the time. A store reads it once per decision and nothing else in Weir does. */
@FunctionalInterface
public interface Ticker {

  /**
   * Microseconds since the Unix epoch. It may step backwards: see {@link Limit#maxAheadTicks()}.
   */
  long micros();

  /** The time of this machine. */
  static Ticker system() {
    return SystemTicker.INSTANCE;
  }
}
