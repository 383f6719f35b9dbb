package dev.weir.cli.options;

import dev.weir.cli.command.Flag;
import dev.weir.http.response.RateLimitHeaders;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Options for the rate limit headers of responses. */
final class HeaderOptions {
  private static final String NONE = "none";

  @Option(
      names = "--headers",
      split = ",",
      paramLabel = "HEADERS", // completion distinguishes lists by this label
      completionCandidates = Names.class,
      description = "Headers to send: x_ratelimit, ietf, retry_after, or none; all if not given.")
  private @Nullable List<String> names;

  @Option(
      names = "--retry-jitter",
      paramLabel = "PERCENT",
      description = "Lengthen Retry-After by a random share of up to PERCENT; 0.")
  private String jitter = "0";

  /** The candidates of shell completion. */
  static final class Names extends ArrayList<String> {
    private static final long serialVersionUID = 1;

    Names() {
      super(
          Arrays.stream(RateLimitHeaders.Family.values())
              .map(one -> one.name().toLowerCase(Locale.ROOT))
              .toList());
      add(NONE);
    }
  }

  /**
   * The headers to send.
   *
   * @throws IllegalArgumentException if a name is unknown
   */
  RateLimitHeaders headers() {
    if (names == null) {
      return RateLimitHeaders.all();
    }
    Set<RateLimitHeaders.Family> families = EnumSet.noneOf(RateLimitHeaders.Family.class);
    for (String name : names) {
      String known = Flag.choice("--headers", name, new Names());
      if (known.equals(NONE) && names.size() > 1) {
        throw Flag.invalid("--headers", String.join(",", names), "none alone, or some names");
      }
      if (!known.equals(NONE)) {
        families.add(RateLimitHeaders.Family.valueOf(known.toUpperCase(Locale.ROOT)));
      }
    }
    return new RateLimitHeaders(families);
  }

  /**
   * The maximum jitter of {@code Retry-After} in percent.
   *
   * @throws IllegalArgumentException if it is not between 0 and 100
   */
  int jitterPercent() {
    return (int) Flag.integer("--retry-jitter", jitter, 0, 100);
  }
}
