package dev.weir.simulation;

import java.util.Iterator;
import java.util.List;

/**
 * The command line options.
 *
 * @param from the first seed
 * @param seeds the number of consecutive seeds
 * @param verbose whether to print every event
 */
record Options(long from, long seeds, boolean verbose) {
  private static final String EXPECTED =
      "--seed S, or --seeds N with --from S; --verbose to print every event";

  /**
   * Parses the command line.
   *
   * @throws IllegalArgumentException if it is not valid; the message says what was expected
   */
  static Options parse(List<String> args) {
    long from = 1;
    long seeds = 1_000;
    boolean verbose = false;
    for (Iterator<String> rest = args.iterator(); rest.hasNext(); ) {
      String arg = rest.next();
      switch (arg) {
        case "--verbose" -> verbose = true;
        case "--seed" -> {
          from = number(arg, rest);
          seeds = 1;
        }
        case "--from" -> from = number(arg, rest);
        case "--seeds" -> {
          seeds = number(arg, rest);
          if (seeds < 1) {
            throw new IllegalArgumentException("--seeds: " + seeds + " (expected: at least 1)");
          }
        }
        default -> throw new IllegalArgumentException(arg + " (expected: " + EXPECTED + ")");
      }
    }
    if (verbose && seeds != 1) {
      throw new IllegalArgumentException(
          "--verbose: " + seeds + " seeds (expected: one, by --seed)");
    }
    return new Options(from, seeds, verbose);
  }

  private static long number(String arg, Iterator<String> rest) {
    String text = rest.hasNext() ? rest.next() : "nothing";
    try {
      return Long.parseLong(text);
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException(arg + ": " + text + " (expected: a whole number)");
    }
  }
}
