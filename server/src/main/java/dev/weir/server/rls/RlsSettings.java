package dev.weir.server.rls;

/**
 * How the service answers, whatever the configuration of its domains says.
 *
 * @param shadow whether every request passes, though each descriptor is told what it would be told
 * @param quota whether every descriptor is a quota: a request is denied only if all are used up
 * @param headers the headers that clients are to add to their responses; null for none
 * @param dynamicMetadata whether clients are told again what they asked, and what the rules that
 *     let them pass have to add
 * @param localCacheBytes about how much memory is for counters that are known to be over their
 *     limit until their window ends; 0 for none
 */
public record RlsSettings(
    boolean shadow,
    boolean quota,
    @org.jspecify.annotations.Nullable Headers headers,
    boolean dynamicMetadata,
    long localCacheBytes) {

  /** The names of headers: of the limit that is nearest, what remains of it, and until when. */
  public record Headers(String limit, String remaining, String reset) {
    /** Those that people expect. */
    public static final Headers USUAL =
        new Headers("RateLimit-Limit", "RateLimit-Remaining", "RateLimit-Reset");
  }

  /** Nothing but the decision. */
  public static final RlsSettings DEFAULT = new RlsSettings(false, false, null, false, 0);

  /** Without a cache. */
  public RlsSettings(
      boolean shadow,
      boolean quota,
      @org.jspecify.annotations.Nullable Headers headers,
      boolean dynamicMetadata) {
    this(shadow, quota, headers, dynamicMetadata, 0);
  }
}
