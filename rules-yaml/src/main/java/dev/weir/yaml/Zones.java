package dev.weir.yaml;

import java.time.DateTimeException;
import java.time.ZoneId;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** Time zones by name. */
final class Zones {
  /** What people call their time zone in three or four letters, which mean several. */
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
      // Among so few letters, the nearest zone is as likely on the other side of the world.
      String expected =
          Optional.ofNullable(SHORT.get(name.toUpperCase(Locale.ROOT)))
              .or(
                  () ->
                      Words.nearest(name, ZoneId.getAvailableZoneIds())
                          .filter(near -> name.length() > 4 || near.equalsIgnoreCase(name)))
              .map(near -> near + "; did you mean that?")
              .orElse("a time zone such as Europe/Berlin");
      throw LimitSyntax.refused("time zone", name, expected);
    }
  }
}
