package dev.weir.cli.replay;

import dev.weir.cli.terminal.Progress;
import dev.weir.cli.terminal.Terminal;
import dev.weir.replay.ReplayListener;
import dev.weir.replay.log.LogProgress;
import dev.weir.replay.report.Numbers;
import java.util.OptionalLong;
import java.util.function.LongSupplier;

/**
 * Shows on a terminal how far a log is read: a bar, lines per second and the time left. Elsewhere
 * it writes nothing. For one thread.
 */
public final class ReplayProgress implements ReplayListener {
  private static final long NANOS = 1_000_000_000L;
  private static final long EVERY_NANOS = NANOS / 5;
  private static final int WIDTH = 24;

  private final Terminal terminal;
  private final LongSupplier nanos;
  private final long startNanos;
  private long shownNanos;

  /** A progress line on a terminal, which should not be that of the results. */
  public ReplayProgress(Terminal terminal) {
    this(terminal, System::nanoTime);
  }

  ReplayProgress(Terminal terminal, LongSupplier nanos) {
    this.terminal = terminal;
    this.nanos = nanos;
    this.startNanos = nanos.getAsLong();
    this.shownNanos = startNanos;
  }

  @Override
  public void onProgress(LogProgress progress) {
    if (!terminal.isLive()) {
      return;
    }
    long now = nanos.getAsLong();
    if (now - shownNanos >= EVERY_NANOS) {
      shownNanos = now;
      terminal.rewrite(line(progress, now - startNanos));
    }
  }

  private static String line(LogProgress progress, long nanos) {
    double seconds = (double) nanos / NANOS;
    String lines =
        Numbers.of(progress.lines())
            + " lines, "
            + Numbers.of(Math.round(progress.lines() / seconds))
            + "/s";
    OptionalLong total = progress.totalBytes();
    if (total.isEmpty() || total.getAsLong() == 0 || progress.bytes() == 0) {
      return lines;
    }
    long whole = total.getAsLong();
    long read = Math.min(progress.bytes(), whole);
    long left = Math.round(seconds * (whole - read) / read);
    return Progress.bar(read, whole, WIDTH)
        + " "
        + 100 * read / whole
        + " %, "
        + lines
        + ", "
        + left / 60
        + ":"
        + (left % 60 < 10 ? "0" : "")
        + left % 60
        + " left";
  }

  /** Removes the line, before results are printed. */
  public void clear() {
    terminal.rewrite("");
  }
}
