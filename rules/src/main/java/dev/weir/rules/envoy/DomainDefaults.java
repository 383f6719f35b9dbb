package dev.weir.rules.envoy;

/**
 * Defaults for domains of Envoy's rate limit service.
 *
 * @param merge whether several files may define parts of one domain
 * @param allOrNone whether a request that one limit denies is charged nowhere
 */
public record DomainDefaults(boolean merge, boolean allOrNone) {
  /** The behaviour of envoyproxy/ratelimit. */
  public static final DomainDefaults DEFAULT = new DomainDefaults(false, false);
}
