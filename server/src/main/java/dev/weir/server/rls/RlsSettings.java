package dev.weir.server.rls;

import org.jspecify.annotations.Nullable;

/**
 * How the service answers, whatever the configuration of its domains says.
 *
 * @param shadow whether every request passes, though each descriptor is told what it would be told
 * @param quota whether every descriptor is a quota: a request is denied only if all are used up
 * @param headers the headers that clients are to add to their responses; null for none
 * @param dynamicMetadata whether clients are told again what they asked, and what the rules that
 *     let them pass have to add
 * @param nearRatio the share of a limit, from 0 to 1, above which hits are said to be near it
 * @param localCacheBytes about how much memory is for counters that are known to be over their
 *     limit until their window ends; 0 for none
 * @param health when the service is healthy
 * @param plainErrors whether errors on {@code /json} are told as envoyproxy/ratelimit does: by the
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

  /** The share that people expect. */
  public static final double USUAL_NEAR_RATIO = 0.8;

  private static final long MAX_CACHE_BYTES = 1L << 40;

  /** The names of headers: of the limit that is nearest, what remains of it, and until when. */
  public record Headers(String limit, String remaining, String reset) {
    /** Those that people expect. */
    public static final Headers USUAL =
        new Headers("RateLimit-Limit", "RateLimit-Remaining", "RateLimit-Reset");
  }

  /**
   * What {@code /healthcheck} and the health of gRPC wait for, beside the server itself.
   *
   * @param rules whether all rules must have been given once
   * @param domains whether there must be a domain
   * @param store whether the store must answer
   */
  public record Health(boolean rules, boolean domains, boolean store) {
    /** Rules that say what becomes of requests while the store does not answer. */
    public static final Health DEFAULT = new Health(true, false, false);
  }

  /** Nothing but the decision. */
  public static final RlsSettings DEFAULT = new RlsSettings(false, false, null, false);

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

  /** With the usual health and errors. */
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

  /** With the usual ratio, and without a cache. */
  public RlsSettings(
      boolean shadow, boolean quota, @Nullable Headers headers, boolean dynamicMetadata) {
    this(shadow, quota, headers, dynamicMetadata, USUAL_NEAR_RATIO, 0);
  }

  public RlsSettings withHealth(Health other) {
    return new RlsSettings(
        shadow, quota, headers, dynamicMetadata, nearRatio, localCacheBytes, other, plainErrors);
  }

  public RlsSettings withPlainErrors() {
    return new RlsSettings(
        shadow, quota, headers, dynamicMetadata, nearRatio, localCacheBytes, health, true);
  }
}
