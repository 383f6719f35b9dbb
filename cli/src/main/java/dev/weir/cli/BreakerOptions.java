package dev.weir.cli;

import dev.weir.guard.GuardSettings;
import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.Option;

/** When a store elsewhere that fails is no longer asked, and when again. */
final class BreakerOptions {
  private static final GuardSettings USUAL = GuardSettings.DEFAULT;
  private static final Pattern TIME = Pattern.compile("(\\d{1,9})(ms|s)");

  @Option(
      names = "--breaker-failures",
      paramLabel = "N",
      description = "Ask the store no more after so many failures in a row; 10.")
  private String failures = String.valueOf(USUAL.failuresInARow());

  @Option(
      names = "--breaker-rate",
      paramLabel = "PERCENT",
      description = "Or after so many in a hundred, over ten seconds; 50.")
  private String rate = String.valueOf(USUAL.failurePercent());

  @Option(
      names = "--breaker-recovery",
      paramLabel = "DURATION",
      description =
          "Then let a request try it after so long, such as 500ms; 30s. The server itself tries"
              + " every second.")
  private String recovery = "30s";

  /**
   * @throws IllegalArgumentException with what makes no sense
   */
  GuardSettings settings() {
    return USUAL
        .withFailures(
            (int) Flag.whole("--breaker-failures", failures, 1, GuardSettings.MAX_FAILURES),
            (int) Flag.whole("--breaker-rate", rate, 1, 100))
        .withRecovery(recovery());
  }

  private Duration recovery() {
    long longest = GuardSettings.LONGEST_RECOVERY.toMillis();
    Matcher time = TIME.matcher(recovery);
    if (time.matches()) {
      long millis = Long.parseLong(time.group(1)) * (time.group(2).equals("s") ? 1_000 : 1);
      if (millis >= 1 && millis <= longest) {
        return Duration.ofMillis(millis);
      }
    }
    String between = "between 1ms and " + longest / 1_000 + "s";
    throw Flag.refused("--breaker-recovery", recovery, "a time such as 500ms or 30s, " + between);
  }
}
