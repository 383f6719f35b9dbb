package dev.weir.benchmarks;

/** A benchmark with a name, whose claims can be checked by anyone in one command. */
public interface Scenario {

  /** What it measures, in a line. */
  String about();

  /** Measures, and tells the report. */
  void run(Report report, boolean full) throws Exception;
}
