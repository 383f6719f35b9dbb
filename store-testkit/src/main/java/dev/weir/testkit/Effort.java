package dev.weir.testkit;

/**
 * How much the tests do: a part of it in every build, all of it in {@code mvn verify -Pthorough}.
 *
 * <p>Every build tries each behaviour and judges it by its outcome, so that it may run on a busy
 * machine. A thorough build repeats more often and runs for longer, and it judges time as well:
 * that needs a machine with nothing else to do. A test that only a thorough build runs has the tag
 * {@value #TAG}.
 */
public final class Effort {
  /** The JUnit tag of tests that only a thorough build runs. */
  public static final String TAG = "thorough";

  private static final boolean THOROUGH = Boolean.getBoolean("weir.thorough");

  private Effort() {}

  /** Whether this is a thorough build, in which how long something took may be judged. */
  public static boolean isThorough() {
    return THOROUGH;
  }

  /** How often or how long to try: one number for every build, one for a thorough one. */
  public static int of(int usual, int thorough) {
    return THOROUGH ? thorough : usual;
  }

  /** The same, unless a system property says how many. */
  public static int of(String property, int usual, int thorough) {
    return Integer.getInteger(property, of(usual, thorough));
  }
}
