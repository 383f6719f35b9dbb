package dev.weir.cli;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

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

  /** Ends it if it still runs after so long: it was told to stop, and does not. */
  static void after(Duration limit) {
    Thread thread =
        new Thread(
            () -> {
              long end = System.nanoTime() + limit.toNanos();
              for (long left = limit.toNanos(); left > 0; left = end - System.nanoTime()) {
                LockSupport.parkNanos(left);
              }
              exit(
                  "it did not stop within "
                      + TimeUnit.NANOSECONDS.toSeconds(limit.toNanos())
                      + " s");
            },
            "weir-stop-limit");
    thread.setDaemon(true);
    thread.start();
  }
}
