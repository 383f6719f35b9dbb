package dev.weir.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A process that cannot go on ends, whatever else goes wrong. */
@Timeout(300)
class FatalExitTest {
  private static final int SECONDS = 120; // for machines of tests that are busy

  private static Process stuck(String how) throws IOException {
    return new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-cp",
            System.getProperty("java.class.path"),
            Stuck.class.getName(),
            how)
        .start();
  }

  @Test
  void whoIsToldToStopAndDoesNotIsEnded() throws Exception {
    Process process = stuck(Stuck.IGNORES_SIGNALS);
    try {
      assertThat(process.inputReader(StandardCharsets.UTF_8).readLine()).isEqualTo("ready");
      process.toHandle().destroy();
      assertThat(process.waitFor(SECONDS, TimeUnit.SECONDS)).isTrue();
      assertThat(process.exitValue()).isEqualTo(Exit.FATAL);
      assertThat(new String(process.getErrorStream().readAllBytes(), StandardCharsets.UTF_8))
          .contains("Weir cannot go on, and ends: it did not stop within 0 s");
    } finally {
      process.destroyForcibly();
    }
  }

  @Test
  void thatNobodyReadsTheLogKeepsNothingAlive() throws Exception {
    Process process = stuck(Stuck.UNREAD);
    try {
      assertThat(process.waitFor(SECONDS, TimeUnit.SECONDS)).isTrue();
      assertThat(process.exitValue()).isEqualTo(Exit.FATAL);
    } finally {
      process.destroyForcibly();
    }
  }
}
