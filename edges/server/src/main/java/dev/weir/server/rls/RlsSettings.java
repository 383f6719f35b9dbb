package dev.weir.server.rls;

import org.jspecify.annotations.Nullable;

/**
 * Settings of the rate limit service that apply to all domains.
 *
 * @param shadow whether every request passes; each descriptor still reports its real status
 * @param quota whether every descriptor is a quota: a request is denied only if all are exhausted
 * @param headers the headers that clients are to add to their responses; null for none
 * @param dynamicMetadata whether replies repeat the request, and carry the metadata of the rules
 *     that let it pass
 * @param nearRatio the share of a limit, from 0 to 1, above which hits count as near it
 * @param localCacheBytes about how much memory caches counters that are over their limit until
 *     their window ends; 0 for none
 * @param health when the service is healthy
 * @param plainErrors whether errors on {@code /json} are those of envoyproxy/ratelimit: only the
 *     words of their status
 */
public record RlsSettings(
    boolean shadow,
    boolean quota,
    @Nullable Headers headers,
    boolean dynamicMetadata,
    double nearRatio,
    long localCacheBytes,
    Health health,
    boolean plainErrors) {

  /** The default of envoyproxy/ratelimit. */
  public static final double DEFAULT_NEAR_RATIO = 0.8;

  private static final long MAX_CACHE_BYTES = 1L << 40;

  /** The names of the headers for the nearest limit, what remains of it, and its reset. */
  public record Headers(String limit, String remaining, String reset) {
    /** The default names. */
    public static final Headers DEFAULT =
        new Headers("RateLimit-Limit", "RateLimit-Remaining", "RateLimit-Reset");
  }

  /**
   * What {@code /healthcheck} and the gRPC health service require, beside the server itself.
   *
   * @param rules whether all rules must have been loaded once
   * @param domains whether there must be a domain
   * @param store whether the store must answer
   */
  public record Health(boolean rules, boolean domains, boolean store) {
    /** Requires only the rules, since they decide while the store does not answer. */
    public static final Health DEFAULT = new Health(true, false, false);
  }

  /** Replies with nothing but the decision. */
  public static final RlsSettings DEFAULT = new RlsSettings(false, false, null, false);

  /**
   * Checks the bounds of the settings.
   *
   * @throws IllegalArgumentException with the setting, the value and what was expected
   */
  public RlsSettings {
    if (!(nearRatio >= 0 && nearRatio <= 1)) {
      throw new IllegalArgumentException(
          "near ratio: " + nearRatio + " (expected: between 0 and 1)");
    }
    if (localCacheBytes < 0 || localCacheBytes > MAX_CACHE_BYTES) {
      throw new IllegalArgumentException(
          "local cache: " + localCacheBytes + " (expected: between 0 and " + MAX_CACHE_BYTES + ")");
    }
  }

  /** With the default health and errors. */
  public RlsSettings(
      boolean shadow,
      boolean quota,
      @Nullable Headers headers,
      boolean dynamicMetadata,
      double nearRatio,
      long localCacheBytes) {
    this(
        shadow, quota, headers, dynamicMetadata, nearRatio, localCacheBytes, Health.DEFAULT, false);
  }

  /** With the default ratio, and without a cache. */
  public RlsSettings(
      boolean shadow, boolean quota, @Nullable Headers headers, boolean dynamicMetadata) {
    this(shadow, quota, headers, dynamicMetadata, DEFAULT_NEAR_RATIO, 0);
  }

  /** A copy with other health requirements. */
  public RlsSettings withHealth(Health other) {
    return new RlsSettings(
        shadow, quota, headers, dynamicMetadata, nearRatio, localCacheBytes, other, plainErrors);
  }

  /** A copy with the errors of envoyproxy/ratelimit on {@code /json}. */
  public RlsSettings withPlainErrors() {
    return new RlsSettings(
        shadow, quota, headers, dynamicMetadata, nearRatio, localCacheBytes, health, true);
  }
}
