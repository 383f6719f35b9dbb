package dev.weir.cli.ratelimit;

import dev.weir.server.rls.RlsSettings;

/** Reads the settings of Envoy's rate limit service from variables of envoyproxy/ratelimit. */
final class RlsVariables {
  private final RatelimitEnvironment environment;

  RlsVariables(RatelimitEnvironment environment) {
    this.environment = environment;
  }

  RlsSettings settings() {
    RlsSettings.Headers headers =
        new RlsSettings.Headers(
            header("LIMIT_LIMIT_HEADER", RlsSettings.Headers.DEFAULT.limit()),
            header("LIMIT_REMAINING_HEADER", RlsSettings.Headers.DEFAULT.remaining()),
            header("LIMIT_RESET_HEADER", RlsSettings.Headers.DEFAULT.reset()));
    return new RlsSettings(
        environment.isTrue("SHADOW_MODE"),
        environment.isTrue("QUOTA_MODE"),
        environment.isTrue("LIMIT_RESPONSE_HEADERS_ENABLED") ? headers : null,
        environment.isTrue("RESPONSE_DYNAMIC_METADATA"),
        environment.ratio("NEAR_LIMIT_RATIO", RlsSettings.DEFAULT_NEAR_RATIO),
        bytes("LOCAL_CACHE_SIZE_IN_BYTES"),
        health(),
        environment.isPresent());
  }

  private RlsSettings.Health health() {
    return new RlsSettings.Health(
        !environment.isTrue("FORCE_START_WITHOUT_INITIAL_CONFIG"),
        environment.isTrue("HEALTHY_WITH_AT_LEAST_ONE_CONFIG_LOADED"),
        environment.isTrue("REDIS_HEALTH_CHECK_ACTIVE_CONNECTION"));
  }

  /** The name of a header, or the default if the variable is unset or invalid. */
  private String header(String name, String defaultHeader) {
    String value = environment.text(name).orElse(defaultHeader);
    if (!value.matches("[!#$%&'*+.^_`|~A-Za-z0-9-]{1,200}")) {
      environment.addProblem(name, value, "the name of a header");
      return defaultHeader;
    }
    return value;
  }

  /** A number of bytes, or 0 if the variable is unset or invalid. */
  private long bytes(String name) {
    String value = environment.text(name).orElse("0");
    if (value.matches("\\d{1,12}")) {
      return Long.parseLong(value);
    }
    environment.addProblem(name, value, "a whole number of at most 12 digits");
    return 0;
  }
}
