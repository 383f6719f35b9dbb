package dev.weir.simulation;

import java.util.Iterator;
import java.util.List;

/**
 * What to run.
 *
 * @param from the first seed
 * @param seeds how many, one after the other
 * @param verbose whether to tell everything that happens
 */
record Options(long from, long seeds, boolean verbose) {
  private static final String EXPECTED =
      "--seed S, or --seeds N with --from S; --verbose to read everything";

  /**
   * @throws IllegalArgumentException if they make no sense, with what was expected
   */
  static Options parse(List<String> words) {
    long from = 1;
    long seeds = 1_000;
    boolean verbose = false;
    for (Iterator<String> rest = words.iterator(); rest.hasNext(); ) {
      String word = rest.next();
      switch (word) {
        case "--verbose" -> verbose = true;
        case "--seed" -> {
          from = number(word, rest);
          seeds = 1;
        }
        case "--from" -> from = number(word, rest);
        case "--seeds" -> {
          seeds = number(word, rest);
          if (seeds < 1) {
            throw new IllegalArgumentException("--seeds: " + seeds + " (expected: at least 1)");
          }
        }
        default -> throw new IllegalArgumentException(word + " (expected: " + EXPECTED + ")");
      }
    }
    if (verbose && seeds != 1) {
      throw new IllegalArgumentException(
          "--verbose: " + seeds + " seeds (expected: one, by --seed)");
    }
    return new Options(from, seeds, verbose);
  }

  private static long number(String word, Iterator<String> rest) {
    String text = rest.hasNext() ? rest.next() : "nothing";
    try {
      return Long.parseLong(text);
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException(word + ": " + text + " (expected: a whole number)");
    }
  }
}
