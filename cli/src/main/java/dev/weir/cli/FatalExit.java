package dev.weir.cli;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
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

  private FatalExit() {}

  /** Ends it now. Nothing that could hang is waited for. */
  static void exit(String why) {
    try {
      after(TO_SAY_WHY, FatalExit::halt);
      LOG.log(Level.ERROR, "Weir cannot go on, and ends: " + why);
    } finally {
      halt();
    }
  }

  /** Ends it after so long, unless it has ended by then: it was told to stop, and does not. */
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

  private static void halt() {
    Runtime.getRuntime().halt(Exit.FATAL);
  }
}
