package dev.weir.http;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;

/** A clock that advances only when a test calls {@link #pass}. */
public final class ManualClock implements InstantSource {
  public static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

  private volatile Instant now = START;

  @Override
  public Instant instant() {
    return now;
  }

  public void pass(Duration time) {
    now = now.plus(time);
  }
}
