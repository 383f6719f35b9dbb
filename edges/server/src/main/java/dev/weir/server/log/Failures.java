package dev.weir.server.log;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.OptionalLong;

/**
 * Logs requests that failed by a fault of this server, with stack traces, at a bounded rate: a
 * client that can cause one failure can cause thousands in a second. Thread-safe.
 */
public final class Failures {
  private static final LogBudget BUDGET = new LogBudget(10);

  private Failures() {}

  /** Logs a failure, unless too many were logged within a minute. */
  public static void log(Logger log, String what, Throwable why) {
    log(BUDGET, log, what, why);
  }

  static void log(LogBudget budget, Logger log, String what, Throwable why) {
    OptionalLong suppressed = budget.take();
    if (suppressed.isPresent()) {
      long others = suppressed.getAsLong();
      String skipped = others == 0 ? "" : "; " + others + " more were not logged";
      log.log(Level.ERROR, what + skipped, why);
    }
  }
}
