package dev.weir.stress;

import java.io.PrintStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.openjdk.jcstress.JCStress;
import org.openjdk.jcstress.Options;
import org.openjdk.jcstress.infra.collectors.DiskReadCollector;
import org.openjdk.jcstress.infra.collectors.InProcessCollector;
import org.openjdk.jcstress.infra.collectors.TestResult;
import org.openjdk.jcstress.infra.grading.ReportUtils;
import org.openjdk.jcstress.infra.runners.TestList;

/**
 * Runs jcstress with its own options, and reports the outcome in a few lines and by the exit
 * status.
 *
 * <p>jcstress itself prints pages, and reports success if it found no test to run or not enough
 * CPUs to run one on. Here its pages go to a file, a test that did not run is a failure, and a test
 * with more actors than there are CPUs is listed.
 */
public final class Run {
  private static final String LOG = "jcstress.log";

  private Run() {}

  /** Exits with 0 if all tests pass, 1 if one fails or does not run, 2 if an option is wrong. */
  public static void main(String[] args) throws Exception {
    Options options = new Options(args);
    if (!options.parse()) {
      System.exit(2);
    }
    long start = System.nanoTime();
    Collection<String> tests = run(options);
    List<TestResult> results = results(options);
    long seconds = (System.nanoTime() - start) / 1_000_000_000;
    System.exit(report(tests, results, options.getCPUCount(), seconds) ? 0 : 1);
  }

  /** Runs all tests and returns their names. */
  private static Collection<String> run(Options options) throws Exception {
    PrintStream console = System.out;
    try (PrintStream log = new PrintStream(LOG, StandardCharsets.UTF_8)) {
      System.setOut(log);
      JCStress jcstress = new JCStress(options);
      try {
        jcstress.run();
      } catch (AssertionError failures) {
        // The results contain the same failures, and are read next.
        log.println(failures.getMessage());
      }
      return jcstress.getTests();
    } finally {
      System.setOut(console);
    }
  }

  private static List<TestResult> results(Options options) throws Exception {
    InProcessCollector collector = new InProcessCollector();
    DiskReadCollector reader = new DiskReadCollector(options.getResultFile(), collector);
    reader.dump();
    reader.close();
    return ReportUtils.mergedByName(collector.getTestResults());
  }

  /** Prints the results, failures in full; returns false if the build must fail. */
  private static boolean report(
      Collection<String> tests, List<TestResult> results, int cpus, long seconds) {
    PrintWriter console = new PrintWriter(System.out, true, StandardCharsets.UTF_8);
    Set<String> missing = new TreeSet<>(tests);
    long races = 0;
    int failed = 0;
    for (TestResult result : results) {
      missing.remove(result.getName());
      races += result.getTotalCount();
      if (passed(result)) {
        console.printf("%,14d races  %s%n", result.getTotalCount(), result.getName());
      } else {
        failed++;
        ReportUtils.printResult(console, result, false);
      }
    }
    int skipped = 0;
    for (String test : missing) {
      boolean tooFewCpus = TestList.getInfo(test).threads() > cpus;
      skipped += tooFewCpus ? 1 : 0;
      console.printf("%20s  %s%n", tooFewCpus ? "needs more CPUs" : "DID NOT RUN", test);
    }
    int notRun = missing.size() - skipped;
    console.printf(
        "jcstress: %d passed, %d failed, %d did not run, %d need more CPUs than %d; ",
        results.size() - failed, failed, notRun, skipped, cpus);
    console.printf("%,d races in %d s%n", races, seconds);
    return failed == 0 && notRun == 0 && !results.isEmpty();
  }

  private static boolean passed(TestResult result) {
    return ReportUtils.statusToPassed(result) && result.grading().isPassed;
  }
}
