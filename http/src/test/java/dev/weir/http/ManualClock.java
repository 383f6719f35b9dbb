package dev.weir.http;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;

/** Time that passes when a test says so. */
final class ManualClock implements InstantSource {
  static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

  private volatile Instant now = START;

  @Override
  public Instant instant() {
    return now;
  }

  void pass(Duration time) {
    now = now.plus(time);
  }
}
