package dev.weir.cli.options;

import dev.weir.cli.command.Flag;
import dev.weir.server.telemetry.SpanSampler;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Samplers by the names that OpenTelemetry has for them. */
final class OtlpSamplers {
  /** All names that are known here. */
  static final List<String> NAMES =
      List.of(
          "always_on",
          "always_off",
          "traceidratio",
          "parentbased_always_on",
          "parentbased_always_off",
          "parentbased_traceidratio");

  private static final String PARENT = "parentbased_";

  private OtlpSamplers() {}

  /**
   * A sampler.
   *
   * @param name one of {@link #NAMES}
   * @param argument the ratio, if the sampler needs one; null for 1
   * @throws IllegalArgumentException if it needs one, and the argument is none
   */
  static SpanSampler of(String name, String variable, @Nullable String argument) {
    boolean follows = name.startsWith(PARENT);
    return switch (follows ? name.substring(PARENT.length()) : name) {
      case "always_on" -> new SpanSampler(follows, 1);
      case "always_off" -> new SpanSampler(follows, 0);
      default -> new SpanSampler(follows, argument == null ? 1 : Flag.ratio(variable, argument));
    };
  }
}
