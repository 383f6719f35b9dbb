package dev.weir.rule.condition;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The alternative canonical forms of a path that servers interpret differently: one value of a
 * request, with one form per line. No canonical path has a line break in it.
 */
public final class PathReadings {
  /** The name of the alternative forms in a descriptor; usually absent. */
  public static final String NAME = "path other-readings";

  private static final char BREAK = '\n';

  private PathReadings() {}

  /** Joins the forms into one value; null if there are none. */
  public static @Nullable String join(List<String> readings) {
    return readings.isEmpty() ? null : String.join(String.valueOf(BREAK), readings);
  }

  /** Splits such a value into its forms; none if it is absent. */
  public static List<String> split(@Nullable String value) {
    return value == null ? List.of() : List.of(value.split(String.valueOf(BREAK), -1));
  }
}
