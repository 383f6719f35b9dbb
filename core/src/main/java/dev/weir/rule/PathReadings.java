package dev.weir.rule;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The other ways to read a path, where servers disagree: one value of a request, which has one
 * reading in each line. No canonical path has a line break in it.
 */
public final class PathReadings {
  /** The name under which edges give the other readings; mostly absent. */
  public static final String NAME = "path other-readings";

  private static final char BREAK = '\n';

  private PathReadings() {}

  /** Readings as one value; null if there are none. */
  public static @Nullable String join(List<String> readings) {
    return readings.isEmpty() ? null : String.join(String.valueOf(BREAK), readings);
  }

  /** The readings of such a value; none if it is absent. */
  public static List<String> split(@Nullable String value) {
    return value == null ? List.of() : List.of(value.split(String.valueOf(BREAK), -1));
  }
}
