package dev.weir.testkit;

import java.util.SplittableRandom;
import org.opentest4j.TestAbortedException;

/**
 * Seeds for random tests: another one each run, and the same one again on request.
 *
 * <p>The system property {@code weir.seed} fixes it. A test that fails says with which seed.
 */
public final class Seeds {
  private static final String PROPERTY = "weir.seed";

  private Seeds() {}

  /** A test that is the same test whenever it gets the same seed. */
  @FunctionalInterface
  public interface Seeded {
    void run(SplittableRandom random) throws Exception;
  }

  /** Runs the test with a seed, and names the seed if it fails; an aborted test stays one. */
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
