package dev.weir.testkit;

/**
 * The effort of tests: limited in every build, full in {@code mvn verify -Pthorough}.
 *
 * <p>Every build tests each behaviour by its outcome alone, so that it may run on a busy machine. A
 * thorough build repeats more often and runs longer, and it also asserts durations, which needs an
 * otherwise idle machine. A test that only a thorough build runs has the tag {@value #TAG}.
 */
public final class Effort {
  /** The JUnit tag of tests that only a thorough build runs. */
  public static final String TAG = "thorough";

  private static final boolean THOROUGH = Boolean.getBoolean("weir.thorough");

  private Effort() {}

  /** Whether this is a thorough build, in which tests may assert durations. */
  public static boolean isThorough() {
    return THOROUGH;
  }

  /** A number of repetitions or a duration: one for every build, one for a thorough build. */
  public static int of(int usual, int thorough) {
    return THOROUGH ? thorough : usual;
  }

  /** The number of a system property, or else {@link #of(int, int)}. */
  public static int of(String property, int usual, int thorough) {
    return Integer.getInteger(property, of(usual, thorough));
  }
}
