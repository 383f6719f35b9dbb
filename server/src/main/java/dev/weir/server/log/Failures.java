package dev.weir.server.log;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.OptionalLong;

/**
 * Requests that this server should have answered and could not, with their traces. Whoever has
 * found a way to cause one causes thousands in a second.
 */
public final class Failures {
  private static final LogBudget BUDGET = new LogBudget(10);

  private Failures() {}

  /** Logs it, unless too many were logged within a minute. */
  public static void log(Logger log, String what, Throwable why) {
    log(BUDGET, log, what, why);
  }

  static void log(LogBudget budget, Logger log, String what, Throwable why) {
    OptionalLong before = budget.take();
    if (before.isPresent()) {
      long others = before.getAsLong();
      String left = others == 0 ? "" : ", nor could " + others + " others since the last line";
      log.log(Level.ERROR, what + left, why);
    }
  }
}
