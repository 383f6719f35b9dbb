package dev.weir.load.measure;

import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.HdrHistogram.Histogram;

/** A distribution of latencies. Immutable and thread-safe. */
public final class Distribution {
  private static final int TICKS_PER_HALF_DISTANCE = 5;
  private static final double MICROS_PER_MILLI = 1_000;

  private final Histogram histogram;

  Distribution(Histogram histogram) {
    this.histogram = histogram;
  }

  /** The distribution in short. */
  public Latency summary() {
    return Latency.of(histogram);
  }

  /** Writes it in milliseconds, in the format of HdrHistogram's plotter ({@code .hgrm}). */
  public void writeTo(OutputStream out) {
    PrintStream stream = new PrintStream(out, false, StandardCharsets.UTF_8);
    histogram.outputPercentileDistribution(stream, TICKS_PER_HALF_DISTANCE, MICROS_PER_MILLI);
    stream.flush();
  }
}
