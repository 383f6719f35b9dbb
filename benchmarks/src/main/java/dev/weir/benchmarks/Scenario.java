package dev.weir.benchmarks;

/** A benchmark with a name, whose claims can be checked by anyone in one command. */
public interface Scenario {

  /** What it measures, in a line. */
  String about();

  /** Whether it can measure somebody else's server, too. */
  default boolean takesPeer() {
    return false;
  }

  /** Measures, and tells the report. */
  void run(Report report, Options options) throws Exception;
}
