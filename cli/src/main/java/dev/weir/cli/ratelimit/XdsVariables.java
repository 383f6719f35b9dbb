package dev.weir.cli.ratelimit;

import dev.weir.server.tls.Tls;
import dev.weir.server.xds.XdsSettings;
import dev.weir.server.xds.XdsSettings.Retries;
import dev.weir.server.xds.XdsTls;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Reads the settings of the xDS management server from variables of envoyproxy/ratelimit. */
final class XdsVariables {
  private static final String CONFIG = "CONFIG_GRPC_XDS_";
  private static final String CERTIFICATE = CONFIG + "CLIENT_TLS_CERT";
  private static final String KEY = CONFIG + "CLIENT_TLS_KEY";
  private static final String MESSAGE = "XDS_CLIENT_MAX_MSG_SIZE_IN_BYTES";
  private static final String BACKOFF = "XDS_CLIENT_BACKOFF_";

  /** The variable for each field that {@link XdsSettings} names in its error messages. */
  private static final Map<String, String> NAMES =
      Map.ofEntries(
          Map.entry("xds", CONFIG + "SERVER_URL"),
          Map.entry("node", CONFIG + "NODE_ID"),
          Map.entry("node metadata", CONFIG + "NODE_METADATA"),
          Map.entry("header", CONFIG + "CLIENT_ADDITIONAL_HEADERS"),
          Map.entry("message size", MESSAGE),
          Map.entry("connect retry", CONFIG + "SERVER_CONNECT_RETRY_INTERVAL"),
          Map.entry("initial backoff", BACKOFF + "INITIAL_INTERVAL"),
          Map.entry("max backoff", BACKOFF + "MAX_INTERVAL"),
          Map.entry("backoff jitter", BACKOFF + "RANDOM_FACTOR"),
          Map.entry("tls-cert", CERTIFICATE),
          Map.entry("tls-key", KEY),
          Map.entry("tls-ca", CONFIG + "SERVER_TLS_CACERT"));

  /** Durations of Go with the units that are common here. */
  private static final Pattern DURATION =
      Pattern.compile("(?:(\\d{1,5})h)?(?:(\\d{1,6})m)?(?:(\\d{1,8})s)?(?:(\\d{1,9})ms)?");

  private final RatelimitEnvironment environment;

  XdsVariables(RatelimitEnvironment environment) {
    this.environment = environment;
  }

  /** The settings; empty if the configuration comes from files or a variable is invalid. */
  Optional<XdsSettings> settings() {
    String type = environment.text("CONFIG_TYPE").orElse("FILE");
    if (!type.equals("GRPC_XDS_SOTW")) {
      if (!type.equals("FILE")) {
        environment.addProblem("CONFIG_TYPE", type, "FILE or GRPC_XDS_SOTW");
      }
      return Optional.empty();
    }
    String url = environment.text(CONFIG + "SERVER_URL").orElse("localhost:18000");
    try {
      XdsSettings settings =
          XdsSettings.at(url)
              .withNode(
                  environment.text(CONFIG + "NODE_ID").orElse(XdsSettings.DEFAULT_NODE),
                  pairs(CONFIG + "NODE_METADATA", '='))
              .withHeaders(pairs(CONFIG + "CLIENT_ADDITIONAL_HEADERS", ':'))
              .withMaxMessageBytes(messageBytes())
              .withRetries(retries())
              .withForceStart(environment.isTrue("FORCE_START_WITHOUT_INITIAL_CONFIG"));
      XdsTls tls = environment.isTrue(CONFIG + "SERVER_USE_TLS") ? tls() : null;
      return Optional.of(tls == null ? settings : settings.withTls(tls));
    } catch (IllegalArgumentException e) {
      String message = String.valueOf(e.getMessage());
      String field = message.replaceFirst("(?s): .*", "");
      String name = NAMES.getOrDefault(field, CONFIG + "*: " + field);
      environment.addProblem(name + message.substring(field.length()));
      return Optional.empty();
    }
  }

  /** Entries between commas; an entry without separator is ignored, as in envoyproxy/ratelimit. */
  private Map<String, String> pairs(String name, char separator) {
    Map<String, String> pairs = new LinkedHashMap<>();
    for (String entry : environment.text(name).orElse("").split(",", -1)) {
      int index = entry.indexOf(separator);
      if (index > 0) {
        pairs.put(entry.substring(0, index).strip(), entry.substring(index + 1));
      }
    }
    return pairs;
  }

  /** The maximum message size; unset and 0 stand for the default. */
  private int messageBytes() {
    String value = environment.text(MESSAGE).orElse("0");
    if (!value.matches("\\d{1,18}")) {
      environment.addProblem(MESSAGE, value, "a number of bytes");
      return XdsSettings.DEFAULT_MESSAGE_BYTES;
    }
    long bytes = Long.parseLong(value);
    if (bytes == 0) {
      return XdsSettings.DEFAULT_MESSAGE_BYTES;
    }
    // A larger value stands for no bound and becomes the maximum.
    return (int) Math.min(bytes, XdsSettings.MAX_MESSAGE_BYTES);
  }

  private Retries retries() {
    Retries defaults = Retries.DEFAULT;
    boolean configured = environment.text(BACKOFF + "JITTER").isPresent();
    boolean jitter = !configured || environment.isTrue(BACKOFF + "JITTER");
    Duration initial = duration(BACKOFF + "INITIAL_INTERVAL", defaults.initial());
    Duration max = duration(BACKOFF + "MAX_INTERVAL", defaults.max());
    return new Retries(
        duration(CONFIG + "SERVER_CONNECT_RETRY_INTERVAL", defaults.connect()),
        initial.compareTo(max) > 0 ? max : initial,
        max,
        jitter ? environment.ratio(BACKOFF + "RANDOM_FACTOR", defaults.jitter()) : 0,
        defaults.silence());
  }

  private Duration duration(String name, Duration defaultDuration) {
    String value = environment.text(name).orElse("");
    Matcher parts = DURATION.matcher(value);
    if (value.isEmpty() || !parts.matches()) {
      if (!value.isEmpty()) {
        environment.addProblem(name, value, "a duration, such as 10s or 1m30s");
      }
      return defaultDuration;
    }
    return Duration.ofHours(number(parts.group(1)))
        .plusMinutes(number(parts.group(2)))
        .plusSeconds(number(parts.group(3)))
        .plusMillis(number(parts.group(4)));
  }

  private static long number(@Nullable String digits) {
    return digits == null ? 0 : Long.parseLong(digits);
  }

  private XdsTls tls() {
    Optional<String> certificate = environment.text(CERTIFICATE);
    Optional<String> key = environment.text(KEY);
    if (certificate.isPresent() != key.isPresent()) {
      environment.addProblem(CERTIFICATE + ", " + KEY, "one", "both or none");
    }
    Tls own =
        certificate.isPresent() && key.isPresent()
            ? new Tls(Path.of(certificate.get()), Path.of(key.get()))
            : null;
    XdsTls tls =
        new XdsTls(
            environment.text(CONFIG + "SERVER_TLS_CACERT").map(Path::of).orElse(null),
            own,
            environment.text(CONFIG + "SERVER_TLS_SAN").orElse(null));
    tls.check();
    return tls;
  }
}
