package dev.weir.cli.doctor.check;

import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * How to stop and start the store, by commands of the user's shell.
 *
 * @param stop makes the store stop to answer
 * @param start makes it answer again; run in any case
 */
public record Outage(String stop, String start) {
  private static final long TIMEOUT_SECONDS = 60;

  /** Stops the store; returns why that failed, if it did. */
  Optional<String> begin() throws InterruptedException {
    return run(stop);
  }

  /** Starts the store again; returns why that failed, if it did. */
  Optional<String> end() throws InterruptedException {
    return run(start);
  }

  private static Optional<String> run(String command) throws InterruptedException {
    try {
      Process process =
          new ProcessBuilder("sh", "-c", command)
              .redirectErrorStream(true)
              .redirectOutput(ProcessBuilder.Redirect.DISCARD)
              .start();
      if (!process.waitFor(TIMEOUT_SECONDS, TimeUnit.SECONDS)) {
        process.destroyForcibly();
        return Optional.of(command + ": still running after " + TIMEOUT_SECONDS + " s");
      }
      return process.exitValue() == 0
          ? Optional.empty()
          : Optional.of(command + ": exit code " + process.exitValue());
    } catch (IOException e) {
      return Optional.of(command + ": " + e.getMessage());
    }
  }
}
