package dev.weir.cli.serve;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.cli.command.ExitCode;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A fatal error ends the process, even if other parts of it are stuck. */
@Timeout(300)
class FatalExitTest {
  private static final int TIMEOUT_SECONDS = 120; // test machines are busy

  private static Process startStuck(String mode) throws IOException {
    return new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-cp",
            System.getProperty("java.class.path"),
            StuckProcess.class.getName(),
            mode)
        .start();
  }

  @Test
  void processThatDoesNotStopInTimeIsHalted() throws Exception {
    Process process = startStuck(StuckProcess.IGNORES_SIGNALS);
    try {
      assertThat(process.inputReader(StandardCharsets.UTF_8).readLine()).isEqualTo("ready");
      process.toHandle().destroy();
      assertThat(process.waitFor(TIMEOUT_SECONDS, TimeUnit.SECONDS)).isTrue();
      assertThat(process.exitValue()).isEqualTo(ExitCode.FATAL);
      assertThat(new String(process.getErrorStream().readAllBytes(), StandardCharsets.UTF_8))
          .contains("Weir exits after a fatal error: it did not stop within 0 s");
    } finally {
      process.destroyForcibly();
    }
  }

  @Test
  void fatalExitDoesNotWaitForAnUnreadLog() throws Exception {
    Process process = startStuck(StuckProcess.UNREAD_LOG);
    try {
      assertThat(process.waitFor(TIMEOUT_SECONDS, TimeUnit.SECONDS)).isTrue();
      assertThat(process.exitValue()).isEqualTo(ExitCode.FATAL);
    } finally {
      process.destroyForcibly();
    }
  }
}
