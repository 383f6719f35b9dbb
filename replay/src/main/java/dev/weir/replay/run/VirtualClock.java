package dev.weir.replay.run;

import dev.weir.time.Ticker;

/** The clock of one run. It stands still between requests, and never runs back. For one thread. */
final class VirtualClock implements Ticker {
  private long nowMicros;

  @Override
  public long micros() {
    return nowMicros;
  }

  /** Moves the clock to a moment, unless that has passed. */
  void moveTo(long micros) {
    nowMicros = Math.max(nowMicros, micros);
  }
}
