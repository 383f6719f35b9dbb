package dev.weir.cli.serve;

import dev.weir.cli.command.ExitCode;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * Exits after a fatal error, with a log line that states the reason. The process manager then
 * restarts the service; it would not restart a process that is alive but answers nothing.
 */
final class FatalExit {
  private static final Logger LOG = System.getLogger(FatalExit.class.getName());

  /** The time limit for the log line: writing blocks forever if nothing reads standard error. */
  private static final Duration MAX_LOGGING = Duration.ofSeconds(2);

  /** Created in advance, because there is no memory for a log line when memory is exhausted. */
  private static final byte[] OUT_OF_MEMORY =
      "Weir exits after a fatal error: out of memory\n".getBytes(StandardCharsets.US_ASCII);

  private static final FileOutputStream STANDARD_ERROR = new FileOutputStream(FileDescriptor.err);

  private FatalExit() {}

  /** Halts the process with {@link ExitCode#FATAL}; waits for nothing that could hang. */
  static void exit(String why) {
    try {
      runAfter(MAX_LOGGING, FatalExit::halt);
      LOG.log(Level.ERROR, "Weir exits after a fatal error: " + why);
    } catch (OutOfMemoryError e) {
      writeOutOfMemory();
    } finally {
      halt();
    }
  }

  /** Halts the process after a time limit, unless it has exited by then. */
  static void exitAfter(Duration limit) {
    runAfter(limit, () -> exit("it did not stop within " + limit.toSeconds() + " s"));
  }

  private static void runAfter(Duration limit, Runnable action) {
    Thread thread =
        new Thread(
            () -> {
              try {
                TimeUnit.MILLISECONDS.sleep(limit.toMillis());
              } catch (InterruptedException e) {
                Thread.currentThread().interrupt(); // runs the action at once
              }
              action.run();
            },
            "weir-stop-limit");
    thread.setDaemon(true);
    thread.start();
  }

  private static void writeOutOfMemory() {
    try {
      STANDARD_ERROR.write(OUT_OF_MEMORY);
    } catch (IOException e) {
      // The process exits without the line.
    }
  }

  private static void halt() {
    Runtime.getRuntime().halt(ExitCode.FATAL);
  }
}
