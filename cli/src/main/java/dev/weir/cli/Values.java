package dev.weir.cli;

import dev.weir.rule.PathReadings;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Shows values of a request, but not those that somebody could use: keys, tokens, cookies. */
final class Values {
  private static final Set<String> PUBLIC =
      Set.of("method", "host", "path", PathReadings.NAME, "ip", "ip exact");

  /** A shorter value is hidden whole: of a short one, two characters are too much. */
  private static final int LEAST_TO_BEGIN = 8;

  private static final int BEGINNING = 2;

  private final boolean all;

  /**
   * @param all whether to hide nothing
   */
  Values(boolean all) {
    this.all = all;
  }

  /** The value, or where it may be a secret its beginning and length. */
  String shown(String name, @Nullable String value) {
    if (value == null) {
      return "absent";
    }
    if (all || PUBLIC.contains(name)) {
      return value;
    }
    String beginning = value.length() < LEAST_TO_BEGIN ? "" : value.substring(0, BEGINNING);
    return beginning + "… (" + Words.count(value.length(), "character") + ")";
  }
}
