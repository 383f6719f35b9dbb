package dev.weir.benchmarks.harness;

/** A benchmark with a name; one command runs it and checks its claims. */
public interface Scenario {

  /** What it measures, in one line. */
  String about();

  /** Whether it can also measure a peer's server. */
  default boolean takesPeer() {
    return false;
  }

  /** Runs the measurements and adds them to the report. */
  void run(Report report, Options options) throws Exception;
}
