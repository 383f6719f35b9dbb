package dev.weir.http;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How requests are read. {@link #DEFAULT} trusts nobody: the client is the socket's other end.
 *
 * @param trustedProxies networks of proxies whose forwarded header is believed
 * @param trustedHops instead of that: how many proxies stand in front, the peer among them. The
 *     client is the entry that many places from the right of the forwarded header, as in Envoy with
 *     {@code use_remote_address: true}. Only for servers that nobody reaches but through those
 *     proxies: every peer is taken for one.
 * @param forwardedHeader the header that the proxies write; the other one is never looked at
 * @param ipv4Prefix how many leading bits of an IPv4 address tell clients apart
 * @param ipv6Prefix the same for IPv6
 * @param pathCaseSensitive whether {@code /Login} and {@code /login} are two paths
 * @param jwt how to verify tokens; null if {@code jwt} values are always absent
 */
public record HttpSettings(
    List<Network> trustedProxies,
    int trustedHops,
    ForwardedHeader forwardedHeader,
    int ipv4Prefix,
    int ipv6Prefix,
    boolean pathCaseSensitive,
    @Nullable JwtSettings jwt) {

  /** Trusts no proxy, counts IPv6 by /64, has no tokens. */
  public static final HttpSettings DEFAULT =
      new HttpSettings(List.of(), 0, ForwardedHeader.X_FORWARDED_FOR, 32, 64, true, null);

  public HttpSettings {
    trustedProxies = List.copyOf(trustedProxies);
    Refusal.between("trustedHops", trustedHops, 0, Hops.MOST);
    Refusal.between("ipv4Prefix", ipv4Prefix, 1, 32);
    Refusal.between("ipv6Prefix", ipv6Prefix, 1, 128);
    if (trustedHops > 0 && !trustedProxies.isEmpty()) {
      throw Refusal.of("trustedHops", trustedHops, "0 where there are trustedProxies");
    }
  }

  public HttpSettings withTrustedProxies(List<Network> networks) {
    return new HttpSettings(
        networks, trustedHops, forwardedHeader, ipv4Prefix, ipv6Prefix, pathCaseSensitive, jwt);
  }

  public HttpSettings withTrustedHops(int hops) {
    return new HttpSettings(
        trustedProxies, hops, forwardedHeader, ipv4Prefix, ipv6Prefix, pathCaseSensitive, jwt);
  }

  public HttpSettings withForwardedHeader(ForwardedHeader header) {
    return new HttpSettings(
        trustedProxies, trustedHops, header, ipv4Prefix, ipv6Prefix, pathCaseSensitive, jwt);
  }

  public HttpSettings withPrefixes(int ipv4, int ipv6) {
    return new HttpSettings(
        trustedProxies, trustedHops, forwardedHeader, ipv4, ipv6, pathCaseSensitive, jwt);
  }

  public HttpSettings withPathCaseSensitive(boolean sensitive) {
    return new HttpSettings(
        trustedProxies, trustedHops, forwardedHeader, ipv4Prefix, ipv6Prefix, sensitive, jwt);
  }

  public HttpSettings withJwt(@Nullable JwtSettings tokens) {
    return new HttpSettings(
        trustedProxies,
        trustedHops,
        forwardedHeader,
        ipv4Prefix,
        ipv6Prefix,
        pathCaseSensitive,
        tokens);
  }
}
