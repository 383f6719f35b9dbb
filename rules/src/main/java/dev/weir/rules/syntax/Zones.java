package dev.weir.rules.syntax;

import dev.weir.rules.yaml.Spelling;
import java.time.DateTimeException;
import java.time.ZoneId;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** Time zones by name. */
final class Zones {
  /** Common abbreviations, which are ambiguous, and the zone that is probably meant. */
  private static final Map<String, String> SHORT =
      Map.ofEntries(
          Map.entry("EST", "America/New_York"),
          Map.entry("EDT", "America/New_York"),
          Map.entry("CST", "America/Chicago"),
          Map.entry("CDT", "America/Chicago"),
          Map.entry("MST", "America/Denver"),
          Map.entry("MDT", "America/Denver"),
          Map.entry("PST", "America/Los_Angeles"),
          Map.entry("PDT", "America/Los_Angeles"),
          Map.entry("HST", "Pacific/Honolulu"),
          Map.entry("BST", "Europe/London"),
          Map.entry("CEST", "Europe/Berlin"),
          Map.entry("EEST", "Europe/Athens"),
          Map.entry("MSK", "Europe/Moscow"),
          Map.entry("IST", "Asia/Kolkata"),
          Map.entry("SGT", "Asia/Singapore"),
          Map.entry("HKT", "Asia/Hong_Kong"),
          Map.entry("JST", "Asia/Tokyo"),
          Map.entry("KST", "Asia/Seoul"),
          Map.entry("AEST", "Australia/Sydney"),
          Map.entry("NZST", "Pacific/Auckland"));

  private Zones() {}

  static ZoneId of(String name) {
    try {
      return ZoneId.of(name);
    } catch (DateTimeException e) {
      // With so few letters, the nearest spelling may be a zone on the other side of the world.
      String expected =
          Optional.ofNullable(SHORT.get(name.toUpperCase(Locale.ROOT)))
              .or(
                  () ->
                      Spelling.nearest(name, ZoneId.getAvailableZoneIds())
                          .filter(near -> name.length() > 4 || near.equalsIgnoreCase(name)))
              .map(near -> near + "; did you mean that?")
              .orElse("a time zone such as Europe/Berlin");
      throw LimitSyntax.invalid("time zone", name, expected);
    }
  }
}
