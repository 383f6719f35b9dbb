package dev.weir.load.measure;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.HdrHistogram.IntCountsHistogram;

/** Counts by second. One histogram serves all seconds, so that memory does not grow with them. */
final class SecondCounter {
  private static final long SECOND_NANOS = TimeUnit.SECONDS.toNanos(1);

  private final List<Second> seconds = new ArrayList<>();
  private final Consumer<Second> listener;
  private final IntCountsHistogram admitted = new IntCountsHistogram(2);
  private long offered;
  private long useful;
  private long limited;
  private long shed;
  private long failed;

  SecondCounter(Consumer<Second> listener) {
    this.listener = listener;
  }

  void onOffer(long nowNanos) {
    advance(nowNanos);
    offered++;
  }

  void onOutcome(Outcome outcome, long latencyMicros, long nowNanos) {
    advance(nowNanos);
    switch (outcome) {
      case OK -> useful++;
      case LIMITED -> limited++;
      case SHED -> shed++;
      default -> failed++;
    }
    if (outcome.isAdmitted() && outcome.hasLatency()) {
      admitted.recordValue(latencyMicros);
    }
  }

  /** Closes the seconds that are over. */
  void advance(long nowNanos) {
    while (nowNanos >= (seconds.size() + 1) * SECOND_NANOS) {
      close();
    }
  }

  /** Closes the last second, if anything happened in it, and returns all. */
  List<Second> finish(long nowNanos) {
    advance(nowNanos);
    if (offered + useful + limited + shed + failed > 0) {
      close();
    }
    return List.copyOf(seconds);
  }

  private void close() {
    Latency latency = Latency.of(admitted);
    Second second = new Second(seconds.size(), offered, useful, limited, shed, failed, latency);
    seconds.add(second);
    listener.accept(second);
    offered = 0;
    useful = 0;
    limited = 0;
    shed = 0;
    failed = 0;
    admitted.reset();
  }
}
