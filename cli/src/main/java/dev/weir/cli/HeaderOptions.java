package dev.weir.cli;

import dev.weir.http.LimitFields;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** What answers tell of limits. */
final class HeaderOptions {
  private static final String NONE = "none";

  @Option(
      names = "--headers",
      split = ",",
      paramLabel = "HEADERS", // completion tells lists apart by this
      completionCandidates = Names.class,
      description = "Headers to send: x_ratelimit, ietf, retry_after, or none; all if not given.")
  private @Nullable List<String> names;

  @Option(
      names = "--retry-jitter",
      paramLabel = "PERCENT",
      description = "Make Retry-After up to so much longer, at random; 0.")
  private String jitter = "0";

  /** What completion offers. */
  static final class Names extends ArrayList<String> {
    private static final long serialVersionUID = 1;

    Names() {
      super(
          Arrays.stream(LimitFields.Family.values())
              .map(one -> one.name().toLowerCase(Locale.ROOT))
              .toList());
      add(NONE);
    }
  }

  LimitFields fields() {
    if (names == null) {
      return LimitFields.all();
    }
    Set<LimitFields.Family> families = EnumSet.noneOf(LimitFields.Family.class);
    for (String name : names) {
      String known = Flag.word("--headers", name, new Names());
      if (known.equals(NONE) && names.size() > 1) {
        throw Flag.refused("--headers", String.join(",", names), "none alone, or some names");
      }
      if (!known.equals(NONE)) {
        families.add(LimitFields.Family.valueOf(known.toUpperCase(Locale.ROOT)));
      }
    }
    return new LimitFields(families);
  }

  int jitter() {
    return (int) Flag.whole("--retry-jitter", jitter, 0, 100);
  }
}
