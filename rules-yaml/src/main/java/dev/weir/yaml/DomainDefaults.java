package dev.weir.yaml;

/**
 * What holds for domains of Envoy's rate limit service where their files do not say.
 *
 * @param merge whether a domain may be told in several files
 * @param allOrNone whether a request is charged nowhere if one limit has no room
 */
public record DomainDefaults(boolean merge, boolean allOrNone) {
  /** As those who come from there know it. */
  public static final DomainDefaults USUAL = new DomainDefaults(false, false);
}
