package dev.weir.testkit;

import java.util.SplittableRandom;
import org.opentest4j.TestAbortedException;

/**
 * Seeds for random tests: a new one in each run, or a given one to reproduce a run.
 *
 * <p>The system property {@code weir.seed} fixes the seed. A failing test reports its seed.
 */
public final class Seeds {
  private static final String PROPERTY = "weir.seed";

  private Seeds() {}

  /** A test that is deterministic for a given seed. */
  @FunctionalInterface
  public interface Seeded {
    /**
     * Runs the test.
     *
     * @throws Exception if the test fails
     */
    void run(SplittableRandom random) throws Exception;
  }

  /** Runs the test with a seed, and reports the seed if it fails; an aborted test stays aborted. */
  public static void run(Seeded test) {
    Long given = Long.getLong(PROPERTY);
    long seed = given != null ? given : new SplittableRandom().nextLong();
    try {
      test.run(new SplittableRandom(seed));
    } catch (TestAbortedException e) {
      throw e;
    } catch (Exception | AssertionError e) {
      String repeat = "; repeat with -D" + PROPERTY + "=" + seed;
      throw new AssertionError("seed " + seed + repeat + "\n" + e.getMessage(), e);
    }
  }
}
