package dev.weir.spring;

import dev.weir.http.response.RateLimitHeaders.Family;
import dev.weir.library.web.ResponseStyle;
import dev.weir.rule.FailureMode;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The properties of Weir. Immutable.
 *
 * @param enabled Whether Weir limits anything.
 * @param rules Rules file or directory of rules files, which is reloaded when it changes, or a
 *     resource such as {@code classpath:rules.yaml}.
 * @param limits Rules for requests by name, with the keys that a rule has in a rules file.
 * @param calls Limits for annotated methods by name, with the keys that they have in a rules file.
 * @param identity Identities by name, as in a rules file.
 * @param trustedProxies Addresses and networks of the proxies whose forwarded headers are believed.
 * @param lintIgnore Codes of warnings about the rules in these properties that are not logged.
 * @param whenStoreFails What happens while the store does not answer, for rules in these properties
 *     that do not say it themselves.
 * @param keySecret Secret of 32 hexadecimal digits under which callers are hashed. By default the
 *     processes on one Redis agree on a random one.
 * @param store Where counters are.
 * @param web How requests are limited.
 */
@ConfigurationProperties(prefix = "weir", ignoreUnknownFields = false)
public record WeirProperties(
    @DefaultValue("true") boolean enabled,
    @Nullable String rules,
    @DefaultValue Map<String, Map<String, Object>> limits,
    @DefaultValue Map<String, Map<String, Object>> calls,
    @DefaultValue Map<String, Object> identity,
    @DefaultValue List<String> trustedProxies,
    @DefaultValue List<String> lintIgnore,
    @DefaultValue("local") FailureMode whenStoreFails,
    @Nullable String keySecret,
    @DefaultValue Store store,
    @DefaultValue Web web) {

  /**
   * Where counters are.
   *
   * @param url URL of Redis, such as {@code redis://host:6379}. Without one, counters are in this
   *     process.
   * @param useSpringRedis Whether to count in the Redis that Spring Data is configured for.
   * @param deadline How long a decision may wait for Redis.
   * @param required Whether the application fails to start while Redis cannot be reached.
   */
  public record Store(
      @Nullable String url,
      @DefaultValue("false") boolean useSpringRedis,
      @Nullable Duration deadline,
      @DefaultValue("false") boolean required) {}

  /**
   * How requests are limited.
   *
   * @param enabled Whether requests are limited; if not, only annotated methods are.
   * @param order Order of the filter. By default before all filters that do work, or after Spring
   *     Security if a rule needs the principal.
   * @param include Path patterns of the requests that are limited; all by default.
   * @param exclude Path patterns of requests that are not limited.
   * @param headers Families of headers that responses have.
   * @param status Status of denied requests, instead of 429.
   * @param body Body of denied requests.
   */
  public record Web(
      @DefaultValue("true") boolean enabled,
      @Nullable Integer order,
      @DefaultValue List<String> include,
      @DefaultValue List<String> exclude,
      @Nullable Set<Family> headers,
      @Nullable Integer status,
      @DefaultValue("problem") ResponseStyle.Body body) {}
}
