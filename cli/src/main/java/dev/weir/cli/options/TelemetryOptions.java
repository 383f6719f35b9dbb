package dev.weir.cli.options;

import dev.weir.cli.command.Failure;
import dev.weir.cli.command.Flag;
import dev.weir.server.log.LogFormat;
import dev.weir.server.settings.OtlpSettings;
import dev.weir.server.settings.TelemetrySettings;
import dev.weir.server.telemetry.SpanSampler;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Options of the log of denials, and of metrics and spans for a collector. */
public final class TelemetryOptions {
  private static final String ENDPOINT = "--otlp-endpoint";
  private static final String INTERVAL = "--otlp-interval";
  private static final String SAMPLE = "--trace-sample";

  @Option(
      names = "--denial-log",
      paramLabel = "FILE",
      description =
          "Write a sample of denials with the rule that decided; - for standard output; none if not"
              + " given.")
  private @Nullable String denialLog;

  @Option(
      names = "--denial-sample",
      paramLabel = "N",
      description = "Maximum number of these lines in a second for each rule; 10.")
  private String denialSample = String.valueOf(TelemetrySettings.OFF.denialsPerSecond());

  @Option(
      names = ENDPOINT,
      paramLabel = "URL",
      description =
          "Send metrics and spans to this OpenTelemetry collector, such as http://127.0.0.1:4318."
              + " If not given: $$OTEL_EXPORTER_OTLP_ENDPOINT.")
  private @Nullable String otlpEndpoint;

  @Option(
      names = INTERVAL,
      paramLabel = "DURATION",
      description = "Send metrics this often, such as 10s; 60s.")
  private @Nullable String otlpInterval;

  @Option(
      names = SAMPLE,
      paramLabel = "RATIO",
      description =
          "Share of decisions with a span, where the caller's trace does not say, such as 0.01; 0.")
  private @Nullable String traceSample;

  private List<String> notes = List.of();

  /**
   * The settings that flags and variables describe.
   *
   * @param service the name of this service, unless a variable says otherwise
   * @throws IllegalArgumentException if a value is invalid
   * @throws Failure if a file cannot be read or written
   */
  public TelemetrySettings settings(Map<String, String> environment, String service, boolean json)
      throws Failure {
    int denials =
        (int) Flag.integer("--denial-sample", denialSample, 1, TelemetrySettings.MAX_DENIALS);
    return new TelemetrySettings(
        Optional.empty(),
        false,
        LogFileFlag.of("--denial-log", denialLog),
        denials,
        json ? LogFormat.JSON : LogFormat.TEXT,
        otlp(environment, service));
  }

  /** Lines about variables that keep metrics or traces from being sent. */
  public List<String> notes() {
    return notes;
  }

  private Optional<OtlpSettings> otlp(Map<String, String> environment, String service)
      throws Failure {
    OtlpVariables variables = new OtlpVariables(environment);
    Optional<Duration> interval =
        Optional.ofNullable(otlpInterval)
            .map(
                value ->
                    Flag.duration(
                        INTERVAL, value, OtlpSettings.MIN_INTERVAL, OtlpSettings.MAX_INTERVAL));
    Optional<SpanSampler> sampler = Optional.ofNullable(traceSample).map(TelemetryOptions::sampler);
    Optional<OtlpSettings> settings =
        variables.settings(
            Optional.ofNullable(otlpEndpoint).map(url -> OtlpVariables.base(ENDPOINT, url)),
            service,
            interval,
            sampler);
    notes = variables.notes();
    if (settings.isEmpty() && otlpInterval != null) {
      throw Flag.invalid(INTERVAL, otlpInterval, ENDPOINT + " beside it");
    }
    if (settings.isEmpty() && traceSample != null) {
      throw Flag.invalid(SAMPLE, traceSample, ENDPOINT + " beside it");
    }
    return settings;
  }

  private static SpanSampler sampler(String ratio) {
    return new SpanSampler(true, Flag.ratio(SAMPLE, ratio));
  }
}
