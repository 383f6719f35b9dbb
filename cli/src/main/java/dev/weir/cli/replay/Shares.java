package dev.weir.cli.replay;

import dev.weir.cli.command.Flag;

/** Shares as flags have them. */
public final class Shares {
  private Shares() {}

  /**
   * Parses a share such as {@code 0.5%}.
   *
   * @return the share, from 0 to 1
   * @throws IllegalArgumentException if it is none
   */
  public static double parse(String flag, String value) {
    if (value.matches("[0-9]{1,3}(\\.[0-9]{1,9})?%")) {
      double percent = Double.parseDouble(value.substring(0, value.length() - 1));
      if (percent <= 100) {
        return percent / 100;
      }
    }
    throw Flag.invalid(flag, value, "a share between 0% and 100%, such as 0.5%");
  }
}
