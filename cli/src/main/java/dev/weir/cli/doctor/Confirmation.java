package dev.weir.cli.doctor;

import java.io.Console;
import java.util.Locale;

/** Asks whether the requests of a plan may be sent. */
@FunctionalInterface
public interface Confirmation {
  /** Asks, and returns the answer; no if there is nobody to ask. */
  boolean isGiven();

  /**
   * Asks the person at the terminal.
   *
   * @param terminal whether somebody sees the output
   */
  static Confirmation ofTerminal(boolean terminal) {
    return () -> {
      Console console = terminal ? System.console() : null;
      String answer = console == null ? null : console.readLine("Send these requests? [y/N] ");
      return answer != null && answer.strip().toLowerCase(Locale.ROOT).matches("y|yes");
    };
  }
}
