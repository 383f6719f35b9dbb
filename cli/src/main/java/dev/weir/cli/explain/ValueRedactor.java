package dev.weir.cli.explain;

import dev.weir.cli.terminal.Wording;
import dev.weir.rule.condition.PathReadings;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Redacts values of a request that may be secret: keys, tokens, cookies. */
final class ValueRedactor {
  private static final Set<String> PUBLIC =
      Set.of("method", "host", "path", PathReadings.NAME, "ip", "ip exact");

  /** A shorter value is redacted whole, because two characters would reveal too much of it. */
  private static final int MIN_LENGTH_FOR_PREFIX = 8;

  private static final int PREFIX_LENGTH = 2;

  private final boolean showAll;

  /**
   * Creates a redactor.
   *
   * @param showAll whether to show all values in full
   */
  ValueRedactor(boolean showAll) {
    this.showAll = showAll;
  }

  /** The value, or its prefix and length if it may be secret. */
  String redacted(String name, @Nullable String value) {
    if (value == null) {
      return "absent";
    }
    if (showAll || PUBLIC.contains(name)) {
      return value;
    }
    String prefix = value.length() < MIN_LENGTH_FOR_PREFIX ? "" : value.substring(0, PREFIX_LENGTH);
    return prefix + "… (" + Wording.count(value.length(), "character") + ")";
  }
}
