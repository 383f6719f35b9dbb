package dev.weir.cli.options;

import dev.weir.cli.command.ExitCode;
import dev.weir.cli.command.Failure;
import dev.weir.cli.command.Flag;
import dev.weir.cli.command.Input;
import dev.weir.cli.command.Version;
import dev.weir.server.settings.OtlpSettings;
import dev.weir.server.telemetry.SpanSampler;
import java.io.ByteArrayInputStream;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The environment variables of OpenTelemetry. Values of headers are never repeated in messages. */
final class OtlpVariables {
  private static final String PREFIX = "OTEL_EXPORTER_OTLP_";
  private static final String ENDPOINT = "ENDPOINT";
  private static final String PROTOCOL = "http/protobuf";
  private static final String SERVICE_NAME = "service.name";
  private static final String INSTANCE = "service.instance.id";
  private static final int MAX_CERTIFICATE_BYTES = 1 << 20;
  private static final int MAX_MILLIS = 3_600_000;

  private final Map<String, String> environment;
  private final List<String> notes = new ArrayList<>();

  OtlpVariables(Map<String, String> environment) {
    this.environment = environment;
  }

  /** A variable; null if it is unset or empty, which is the same for OpenTelemetry. */
  private @Nullable String text(String name) {
    String value = environment.getOrDefault(name, "").strip();
    return value.isEmpty() ? null : value;
  }

  /**
   * What to send, and where; empty if nothing asks for it.
   *
   * @param base the URL that a flag gives, which no variable changes
   * @param service the name of this service, unless a variable says otherwise
   * @throws IllegalArgumentException if a variable that counts is invalid
   * @throws Failure if a file cannot be read
   */
  Optional<OtlpSettings> settings(
      Optional<URI> base,
      String service,
      Optional<Duration> interval,
      Optional<SpanSampler> sampler)
      throws Failure {
    if (base.isEmpty() && "true".equalsIgnoreCase(text("OTEL_SDK_DISABLED"))) {
      return Optional.empty();
    }
    Optional<URI> metrics = address(base, "METRICS");
    Optional<URI> traces = address(base, "TRACES");
    if (metrics.isEmpty() && traces.isEmpty()) {
      return Optional.empty();
    }
    return Optional.of(
        new OtlpSettings(
            metrics,
            traces,
            headers(),
            certificate(),
            "gzip".equals(choice(PREFIX + "COMPRESSION", "none", List.of("none", "gzip"))),
            interval.isPresent()
                ? interval.get()
                : millis("OTEL_METRIC_EXPORT_INTERVAL", 60_000, 100),
            millis(PREFIX + "TIMEOUT", 10_000, 1),
            sampler.isPresent() ? sampler.get() : sampler(),
            resource(service)));
  }

  /** Where metrics or traces go; empty for nowhere. */
  private Optional<URI> address(Optional<URI> base, String signal) {
    String exporter = text("OTEL_" + signal + "_EXPORTER");
    if (exporter != null && !List.of(exporter.split("\\s*,\\s*", -1)).contains("otlp")) {
      return Optional.empty();
    }
    if (base.isPresent()) {
      return Optional.of(below(base.get(), signal));
    }
    String own = PREFIX + signal + "_" + ENDPOINT;
    String shared = PREFIX + ENDPOINT;
    String url = text(own);
    if (url == null && text(shared) == null) {
      return Optional.empty();
    }
    if (!isProtocolKnown(signal)) {
      return Optional.empty();
    }
    return Optional.of(
        url != null ? url(own, url) : below(base(shared, String.valueOf(text(shared))), signal));
  }

  /** A variable that was set for other programs must not keep a server from starting. */
  private boolean isProtocolKnown(String signal) {
    String own = PREFIX + signal + "_PROTOCOL";
    String name = text(own) == null ? PREFIX + "PROTOCOL" : own;
    String protocol = text(name);
    if (protocol == null || protocol.equals(PROTOCOL)) {
      return true;
    }
    notes.add(
        name
            + ": "
            + protocol
            + ": no "
            + signal.toLowerCase(Locale.ROOT)
            + " are sent (expected: "
            + PROTOCOL
            + ")");
    return false;
  }

  /** Lines about variables that keep metrics or traces from being sent. */
  List<String> notes() {
    return List.copyOf(notes);
  }

  /** Metrics and traces have paths of their own below the URL of a collector. */
  private static URI below(URI base, String signal) {
    String text = base.toString();
    String slash = text.endsWith("/") ? "" : "/";
    return URI.create(text + slash + "v1/" + signal.toLowerCase(Locale.ROOT));
  }

  /**
   * Parses the URL of a collector.
   *
   * @throws IllegalArgumentException if it is none
   */
  static URI base(String name, String value) {
    URI url = url(name, value);
    if (url.getRawQuery() != null) {
      throw refusedUrl(name, value);
    }
    return url;
  }

  private static URI url(String name, String value) {
    try {
      URI url = new URI(value);
      boolean http = "http".equals(url.getScheme()) || "https".equals(url.getScheme());
      if (http && url.getHost() != null && isPlain(url)) {
        return url;
      }
    } catch (URISyntaxException e) {
      // Reported below.
    }
    throw refusedUrl(name, value);
  }

  private static boolean isPlain(URI url) {
    return url.getRawUserInfo() == null
        && url.getRawFragment() == null
        && url.getPort() != 0
        && url.getPort() <= 65_535;
  }

  private static IllegalArgumentException refusedUrl(String name, String value) {
    String shown = value.contains("@") ? "a URL with a user" : value;
    return Flag.invalid(name, shown, "a URL such as http://127.0.0.1:4318, without a user");
  }

  private Map<String, String> headers() {
    String name = PREFIX + "HEADERS";
    Map<String, String> headers = new HashMap<>();
    pairs(name)
        .forEach(
            (header, value) -> {
              if (!OtlpPairs.isHeader(header, value)) {
                throw refusedPairs(name);
              }
              headers.put(header, value);
            });
    return headers;
  }

  private Map<String, String> pairs(String name) {
    String text = text(name);
    return text == null ? Map.of() : OtlpPairs.parse(text).orElseThrow(() -> refusedPairs(name));
  }

  private static IllegalArgumentException refusedPairs(String name) {
    return Flag.invalid(
        name, "not as expected", "name=value pairs with commas between them, percent-encoded");
  }

  private Optional<Path> certificate() throws Failure {
    String name = PREFIX + "CERTIFICATE";
    String file = text(name);
    if (file == null) {
      return Optional.empty();
    }
    byte[] bytes = Input.bytes(name, Path.of(file), MAX_CERTIFICATE_BYTES);
    try {
      CertificateFactory factory = CertificateFactory.getInstance("X.509");
      if (!factory.generateCertificates(new ByteArrayInputStream(bytes)).isEmpty()) {
        return Optional.of(Path.of(file));
      }
    } catch (CertificateException e) {
      // Reported below.
    }
    throw new Failure(ExitCode.USAGE, name + ": " + file + ": no certificate (expected: PEM)");
  }

  private Duration millis(String name, int usual, int min) {
    String value = text(name);
    return Duration.ofMillis(value == null ? usual : Flag.integer(name, value, min, MAX_MILLIS));
  }

  private String choice(String name, String usual, List<String> words) {
    String value = text(name);
    return value == null ? usual : Flag.choice(name, value, words);
  }

  /**
   * Decides which requests get a span. Unlike elsewhere, a request that belongs to no trace gets
   * none by default: a server decides too many.
   */
  private SpanSampler sampler() {
    String name = choice("OTEL_TRACES_SAMPLER", "parentbased_always_off", OtlpSamplers.NAMES);
    return OtlpSamplers.of(name, "OTEL_TRACES_SAMPLER_ARG", text("OTEL_TRACES_SAMPLER_ARG"));
  }

  private Map<String, String> resource(String service) {
    Map<String, String> resource = new HashMap<>();
    resource.put(SERVICE_NAME, service);
    resource.put("service.version", Version.number());
    resource.put(INSTANCE, UUID.randomUUID().toString());
    String host = text("HOSTNAME");
    if (host != null) {
      resource.put("host.name", host);
    }
    resource.putAll(pairs("OTEL_RESOURCE_ATTRIBUTES"));
    String name = text("OTEL_SERVICE_NAME");
    if (name != null) {
      resource.put(SERVICE_NAME, name);
    }
    return resource;
  }
}
