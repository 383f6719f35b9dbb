package dev.weir.cli.replay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.cli.terminal.Terminal;
import dev.weir.replay.log.LogProgress;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** The progress of a replay, on a terminal and elsewhere. */
class ReplayProgressTest {
  private static final long SECOND = 1_000_000_000;

  private final ByteArrayOutputStream written = new ByteArrayOutputStream();
  private final AtomicLong nanos = new AtomicLong();

  private ReplayProgress progress(boolean live) {
    PrintStream stream = new PrintStream(written, true, StandardCharsets.UTF_8);
    return new ReplayProgress(new Terminal(stream, false, live), nanos::get);
  }

  @Test
  void terminalShowsShareSpeedAndTimeLeft() {
    ReplayProgress progress = progress(true);
    nanos.set(2 * SECOND);
    progress.onProgress(new LogProgress(1_200_000, 25, OptionalLong.of(100)));
    assertThat(written.toString(StandardCharsets.UTF_8))
        .endsWith("[######..................] 25 %, 1,200,000 lines, 600,000/s, 0:06 left");
    nanos.addAndGet(SECOND / 10);
    progress.onProgress(new LogProgress(1_300_000, 30, OptionalLong.of(100)));
    assertThat(written.toString(StandardCharsets.UTF_8)).as("too soon").doesNotContain("30 %");
  }

  @Test
  void standardInputHasNoEnd() {
    ReplayProgress progress = progress(true);
    nanos.set(SECOND);
    progress.onProgress(new LogProgress(10, 25, OptionalLong.empty()));
    assertThat(written.toString(StandardCharsets.UTF_8)).endsWith("10 lines, 10/s");
  }

  @Test
  void nothingIsWrittenElsewhere() {
    ReplayProgress progress = progress(false);
    nanos.set(2 * SECOND);
    progress.onProgress(new LogProgress(1_200_000, 25, OptionalLong.of(100)));
    progress.clear();
    assertThat(written.toString(StandardCharsets.UTF_8)).isEmpty();
  }
}
