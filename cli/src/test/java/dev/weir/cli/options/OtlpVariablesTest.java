package dev.weir.cli.options;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.cli.command.Failure;
import dev.weir.server.settings.OtlpSettings;
import dev.weir.server.telemetry.SpanSampler;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Which variables of OpenTelemetry count, and how. */
class OtlpVariablesTest {
  private static final String ENDPOINT = "OTEL_EXPORTER_OTLP_ENDPOINT";
  private static final String URL = "http://collector:4318";

  private static Optional<OtlpSettings> settings(Map<String, String> environment) throws Failure {
    return new OtlpVariables(environment)
        .settings(Optional.empty(), "weir", Optional.empty(), Optional.empty());
  }

  /** The settings with the URL of a collector, and these variables. */
  private static OtlpSettings on(String... variables) throws Failure {
    return settings(environment(variables)).orElseThrow();
  }

  private static Map<String, String> environment(String... variables) {
    Map<String, String> environment = new HashMap<>(Map.of(ENDPOINT, URL));
    for (int i = 0; i < variables.length; i += 2) {
      environment.put(variables[i], variables[i + 1]);
    }
    return environment;
  }

  private static Optional<URI> url(String url) {
    return Optional.of(URI.create(url));
  }

  @Test
  void nothingIsSentUnlessSomebodySaysWhere() throws Failure {
    assertThat(settings(Map.of())).isEmpty();
    assertThat(settings(Map.of(ENDPOINT, " "))).isEmpty();
    assertThat(
            settings(
                Map.of(
                    "OTEL_SERVICE_NAME", "x",
                    "OTEL_TRACES_SAMPLER", "nonsense",
                    "OTEL_EXPORTER_OTLP_HEADERS", "nonsense")))
        .isEmpty();
  }

  @Test
  void urlOfACollectorIsForBoth() throws Failure {
    OtlpSettings settings = on();
    assertThat(settings.metrics()).isEqualTo(url(URL + "/v1/metrics"));
    assertThat(settings.traces()).isEqualTo(url(URL + "/v1/traces"));
    assertThat(settings.headers()).isEmpty();
    assertThat(settings.gzip()).isFalse();
    assertThat(settings.interval()).isEqualTo(Duration.ofMinutes(1));
    assertThat(settings.timeout()).isEqualTo(Duration.ofSeconds(10));
    assertThat(settings.sampler()).isEqualTo(new SpanSampler(true, 0));
    assertThat(settings.resource())
        .containsEntry("service.name", "weir")
        .containsKeys("service.version", "service.instance.id")
        .doesNotContainKey("host.name");
    assertThat(on().resource().get("service.instance.id"))
        .isNotEqualTo(settings.resource().get("service.instance.id"));
  }

  @Test
  void metricsAndTracesMayHaveUrlsOfTheirOwn() throws Failure {
    String traces = "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT";
    OtlpSettings both = on(traces, "https://other/ingest?key=1");
    assertThat(both.metrics()).isEqualTo(url(URL + "/v1/metrics"));
    assertThat(both.traces()).isEqualTo(url("https://other/ingest?key=1"));
    OtlpSettings alone = settings(Map.of(traces, "http://other/")).orElseThrow();
    assertThat(alone.metrics()).isEmpty();
    assertThat(alone.traces()).isEqualTo(url("http://other/"));
    OtlpSettings below = on(ENDPOINT, "http://proxy/otlp/");
    assertThat(below.metrics()).isEqualTo(url("http://proxy/otlp/v1/metrics"));
  }

  @Test
  void flagComesFirst() throws Failure {
    OtlpVariables variables =
        new OtlpVariables(
            environment(
                "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", "http://other",
                "OTEL_EXPORTER_OTLP_PROTOCOL", "grpc",
                "OTEL_SDK_DISABLED", "true",
                "OTEL_METRIC_EXPORT_INTERVAL", "7",
                "OTEL_TRACES_SAMPLER", "nonsense"));
    OtlpSettings settings =
        variables
            .settings(
                url("http://flag"),
                "weir",
                Optional.of(Duration.ofSeconds(3)),
                Optional.of(new SpanSampler(true, 0.5)))
            .orElseThrow();
    assertThat(settings.metrics()).isEqualTo(url("http://flag/v1/metrics"));
    assertThat(settings.traces()).isEqualTo(url("http://flag/v1/traces"));
    assertThat(settings.interval()).isEqualTo(Duration.ofSeconds(3));
    assertThat(settings.sampler()).isEqualTo(new SpanSampler(true, 0.5));
  }

  @Test
  void signalsCanBeTurnedOff() throws Failure {
    assertThat(on("OTEL_METRICS_EXPORTER", "none").metrics()).isEmpty();
    assertThat(on("OTEL_METRICS_EXPORTER", "prometheus").traces()).isPresent();
    assertThat(on("OTEL_TRACES_EXPORTER", "console, otlp").traces()).isPresent();
    assertThat(
            settings(environment("OTEL_METRICS_EXPORTER", "none", "OTEL_TRACES_EXPORTER", "none")))
        .isEmpty();
    assertThat(settings(environment("OTEL_SDK_DISABLED", "TRUE"))).isEmpty();
    assertThat(settings(environment("OTEL_SDK_DISABLED", "false"))).isPresent();
  }

  @Test
  void otherProtocolIsNotedAndKeepsNoServerFromStarting() throws Failure {
    OtlpVariables grpc = new OtlpVariables(environment("OTEL_EXPORTER_OTLP_PROTOCOL", "grpc"));
    assertThat(grpc.settings(Optional.empty(), "weir", Optional.empty(), Optional.empty()))
        .isEmpty();
    assertThat(grpc.notes())
        .isEqualTo(
            List.of(
                "OTEL_EXPORTER_OTLP_PROTOCOL: grpc: no metrics are sent (expected: http/protobuf)",
                "OTEL_EXPORTER_OTLP_PROTOCOL: grpc: no traces are sent (expected: http/protobuf)"));
    OtlpSettings half =
        on(
            "OTEL_EXPORTER_OTLP_PROTOCOL", "grpc",
            "OTEL_EXPORTER_OTLP_TRACES_PROTOCOL", "http/protobuf");
    assertThat(half.metrics()).isEmpty();
    assertThat(half.traces()).isPresent();
  }

  @ParameterizedTest
  @CsvSource({
    "always_on,,false,1",
    "always_off,,false,0",
    "traceidratio,0.25,false,0.25",
    "traceidratio,,false,1",
    "parentbased_always_on,,true,1",
    "parentbased_always_off,,true,0",
    "parentbased_traceidratio,.001,true,0.001",
    "always_on,nonsense,false,1"
  })
  void samplersHaveTheNamesOfOpenTelemetry(
      String name, String argument, boolean follows, double ratio) throws Failure {
    OtlpSettings settings =
        on(
            "OTEL_TRACES_SAMPLER",
            name,
            "OTEL_TRACES_SAMPLER_ARG",
            argument == null ? "" : argument);
    assertThat(settings.sampler()).isEqualTo(new SpanSampler(follows, ratio));
  }

  @Test
  void headersAndAttributesArePercentEncoded() throws Failure {
    OtlpSettings settings =
        on(
            "OTEL_EXPORTER_OTLP_HEADERS", "Authorization=Bearer%20a=b, X-Scope = tenant%2c1 ,",
            "OTEL_RESOURCE_ATTRIBUTES", "service.name=other,deployment.environment=k%C3%B6ln",
            "HOSTNAME", "pod-7");
    assertThat(settings.headers())
        .isEqualTo(Map.of("Authorization", "Bearer a=b", "X-Scope", "tenant,1"));
    assertThat(settings.resource())
        .containsEntry("service.name", "other")
        .containsEntry("deployment.environment", "k\u00f6ln")
        .containsEntry("host.name", "pod-7");
    OtlpSettings named =
        on("OTEL_RESOURCE_ATTRIBUTES", "service.name=other", "OTEL_SERVICE_NAME", "mine");
    assertThat(named.resource()).containsEntry("service.name", "mine");
    assertThat(settings.toString()).doesNotContain("Bearer");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "OTEL_EXPORTER_OTLP_HEADERS|secret",
        "OTEL_EXPORTER_OTLP_HEADERS|=secret",
        "OTEL_EXPORTER_OTLP_HEADERS|a=secret%0d%0ab",
        "OTEL_EXPORTER_OTLP_HEADERS|a=secret%zz",
        "OTEL_EXPORTER_OTLP_HEADERS|a=secret%2",
        "OTEL_EXPORTER_OTLP_HEADERS|a=secret%ff",
        "OTEL_EXPORTER_OTLP_HEADERS|a b=secret",
        "OTEL_EXPORTER_OTLP_HEADERS|Host=secret",
        "OTEL_EXPORTER_OTLP_HEADERS|content-length=secret",
        "OTEL_RESOURCE_ATTRIBUTES|secret"
      })
  void malformedPairsAreRefusedAndNotRepeated(String name, String value) {
    assertThatThrownBy(() -> on(name, value))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith(name + ": not as expected (expected: name=value pairs")
        .message()
        .doesNotContain("secret");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "OTEL_EXPORTER_OTLP_ENDPOINT|collector:4318|a URL such as",
        "OTEL_EXPORTER_OTLP_ENDPOINT|ftp://collector|a URL such as",
        "OTEL_EXPORTER_OTLP_ENDPOINT|http://|a URL such as",
        "OTEL_EXPORTER_OTLP_ENDPOINT|http://a:0|a URL such as",
        "OTEL_EXPORTER_OTLP_ENDPOINT|http://a:70000|a URL such as",
        "OTEL_EXPORTER_OTLP_ENDPOINT|http://a?b|a URL such as",
        "OTEL_EXPORTER_OTLP_ENDPOINT|http://a b|a URL such as",
        "OTEL_EXPORTER_OTLP_METRICS_ENDPOINT|nonsense|a URL such as",
        "OTEL_EXPORTER_OTLP_TIMEOUT|10s|a whole number",
        "OTEL_METRIC_EXPORT_INTERVAL|7|a whole number between 100 and 3600000",
        "OTEL_EXPORTER_OTLP_COMPRESSION|zip|none or gzip",
        "OTEL_TRACES_SAMPLER|jaeger_remote|always_on, "
      })
  void invalidVariableIsRefused(String name, String value, String expected) {
    assertThatThrownBy(() -> on(name, value))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith(name + ": " + value + " (expected: " + expected);
  }

  @ParameterizedTest
  @ValueSource(strings = {"1.5", "-1", "x", "1e-3", "NaN"})
  void invalidRatioIsRefused(String ratio) {
    assertThatThrownBy(
            () -> on("OTEL_TRACES_SAMPLER", "traceidratio", "OTEL_TRACES_SAMPLER_ARG", ratio))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("OTEL_TRACES_SAMPLER_ARG: " + ratio + " (expected: a number");
  }

  @Test
  void passwordInAUrlIsNotRepeated() {
    assertThatThrownBy(() -> on(ENDPOINT, "http://u:secret@a"))
        .hasMessageContaining("without a user")
        .message()
        .doesNotContain("secret");
  }

  @Test
  void certificateMustBeOne(@TempDir Path folder) throws Exception {
    String name = "OTEL_EXPORTER_OTLP_CERTIFICATE";
    assertThatThrownBy(() -> on(name, folder.resolve("none").toString()))
        .isInstanceOf(Failure.class)
        .hasMessageContaining("no such file");
    Path nonsense = Files.writeString(folder.resolve("nonsense.pem"), "nonsense");
    assertThatThrownBy(() -> on(name, nonsense.toString()))
        .isInstanceOf(Failure.class)
        .hasMessage(name + ": " + nonsense + ": no certificate (expected: PEM)");
  }
}
