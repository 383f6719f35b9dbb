package dev.weir.cli;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * Ends a process that cannot go on, with a line that says why: whoever runs it starts it anew,
 * which nobody does for one that is alive and answers nobody.
 */
final class FatalExit {
  private static final Logger LOG = System.getLogger(FatalExit.class.getName());

  /** For a line, which takes for ever where nobody reads what is written. */
  private static final Duration TO_SAY_WHY = Duration.ofSeconds(2);

  /** Made beforehand: where memory is used up, there is none for a line of the log. */
  private static final byte[] OUT_OF_MEMORY =
      "Weir cannot go on, and ends: out of memory\n".getBytes(StandardCharsets.US_ASCII);

  private static final FileOutputStream STANDARD_ERROR = new FileOutputStream(FileDescriptor.err);

  private FatalExit() {}

  /** Ends it now. Nothing that could hang is waited for. */
  static void exit(String why) {
    try {
      after(TO_SAY_WHY, FatalExit::halt);
      LOG.log(Level.ERROR, "Weir cannot go on, and ends: " + why);
    } catch (OutOfMemoryError e) {
      sayOutOfMemory();
    } finally {
      halt();
    }
  }

  /** Ends the process after a time limit, if it has not stopped by itself by then. */
  static void after(Duration limit) {
    after(limit, () -> exit("it did not stop within " + limit.toSeconds() + " s"));
  }

  private static void after(Duration limit, Runnable end) {
    Thread thread =
        new Thread(
            () -> {
              try {
                TimeUnit.MILLISECONDS.sleep(limit.toMillis());
              } catch (InterruptedException e) {
                Thread.currentThread().interrupt(); // nobody does, but if so: at once
              }
              end.run();
            },
            "weir-stop-limit");
    thread.setDaemon(true);
    thread.start();
  }

  private static void sayOutOfMemory() {
    try {
      STANDARD_ERROR.write(OUT_OF_MEMORY);
    } catch (IOException e) {
      // Nobody hears it, and it ends all the same.
    }
  }

  private static void halt() {
    Runtime.getRuntime().halt(Exit.FATAL);
  }
}
