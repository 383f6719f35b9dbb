package dev.weir.cli.options;

import dev.weir.cli.command.Flag;
import dev.weir.shared.GuardSettings;
import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.Option;

/** Options of the circuit breaker in front of a shared store. */
public final class BreakerOptions {
  private static final GuardSettings DEFAULTS = GuardSettings.DEFAULT;
  private static final Pattern TIME = Pattern.compile("(\\d{1,9})(ms|s)");

  @Option(
      names = "--breaker-failures",
      paramLabel = "N",
      description = "Open the circuit breaker of the store after N consecutive failures; 10.")
  private String failures = String.valueOf(DEFAULTS.consecutiveFailures());

  @Option(
      names = "--breaker-rate",
      paramLabel = "PERCENT",
      description = "Or when this share of calls fails within ten seconds; 50.")
  private String rate = String.valueOf(DEFAULTS.failurePercent());

  @Option(
      names = "--breaker-recovery",
      paramLabel = "DURATION",
      description =
          "Let a request probe the store after the breaker was open for this long, such as 500ms;"
              + " 30s. The server itself probes every second.")
  private String openDuration = "30s";

  /**
   * The settings of the circuit breaker.
   *
   * @throws IllegalArgumentException if a value is invalid
   */
  public GuardSettings settings() {
    return DEFAULTS
        .withFailures(
            (int) Flag.integer("--breaker-failures", failures, 1, GuardSettings.MAX_FAILURES),
            (int) Flag.integer("--breaker-rate", rate, 1, 100))
        .withOpenDuration(openDuration());
  }

  private Duration openDuration() {
    long maxMillis = GuardSettings.MAX_OPEN_DURATION.toMillis();
    Matcher time = TIME.matcher(openDuration);
    if (time.matches()) {
      long millis = Long.parseLong(time.group(1)) * (time.group(2).equals("s") ? 1_000 : 1);
      if (millis >= 1 && millis <= maxMillis) {
        return Duration.ofMillis(millis);
      }
    }
    String between = "between 1ms and " + maxMillis / 1_000 + "s";
    throw Flag.invalid(
        "--breaker-recovery", openDuration, "a time such as 500ms or 30s, " + between);
  }
}
