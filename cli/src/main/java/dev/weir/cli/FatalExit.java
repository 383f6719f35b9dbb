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

  private FatalExit() {}

  /** Ends it now. Nothing that could hang is waited for. */
  static void exit(String why) {
    try {
      LOG.log(Level.ERROR, "Weir cannot go on, and ends: " + why);
    } finally {
      Runtime.getRuntime().halt(Exit.FATAL);
    }
  }

  /**
   * Ends it after so long, unless the thread is interrupted before: it was told to stop, and does
   * not.
   */
  static Thread after(Duration limit) {
    Thread thread =
        new Thread(
            () -> {
              try {
                TimeUnit.MILLISECONDS.sleep(limit.toMillis());
              } catch (InterruptedException e) {
                return; // it has stopped
              }
              exit("it did not stop within " + limit.toSeconds() + " s");
            },
            "weir-stop-limit");
    thread.setDaemon(true);
    thread.start();
    return thread;
  }
}
