package dev.weir.cli.options;

import dev.weir.cli.command.Flag;
import dev.weir.shared.GuardSettings;
import java.time.Duration;
import picocli.CommandLine.Option;

/** Options of the circuit breaker in front of a shared store. */
public final class BreakerOptions {
  private static final GuardSettings DEFAULTS = GuardSettings.DEFAULT;

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
    return Flag.duration(
        "--breaker-recovery", openDuration, Duration.ofMillis(1), GuardSettings.MAX_OPEN_DURATION);
  }
}
