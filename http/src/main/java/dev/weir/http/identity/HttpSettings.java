package dev.weir.http.identity;

import dev.weir.http.address.ForwardedChain;
import dev.weir.http.address.ForwardedHeader;
import dev.weir.http.address.Network;
import dev.weir.http.jwt.JwtSettings;
import dev.weir.internal.Rejections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How requests are read. Immutable. {@link #DEFAULT} trusts no proxy: the client is the peer.
 *
 * @param trustedProxies networks of proxies whose forwarded header is trusted
 * @param trustedHops instead of trustedProxies: the number of proxies in front, including the peer.
 *     The client is the entry at that position from the right of the forwarded header, as in Envoy
 *     with {@code use_remote_address: true}. Only for servers that clients reach through those
 *     proxies alone, because every peer counts as a proxy.
 * @param forwardedHeader the header that the proxies write; the other one is never read
 * @param ipv4Prefix how many leading bits of an IPv4 address distinguish clients
 * @param ipv6Prefix how many leading bits of an IPv6 address distinguish clients
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

  /** Trusts no proxy, counts IPv4 by /32 and IPv6 by /64, reads no tokens. */
  public static final HttpSettings DEFAULT =
      new HttpSettings(List.of(), 0, ForwardedHeader.X_FORWARDED_FOR, 32, 64, true, null);

  /** Rejects values out of range with {@link IllegalArgumentException}. */
  public HttpSettings {
    trustedProxies = List.copyOf(trustedProxies);
    Rejections.between("trustedHops", trustedHops, 0, ForwardedChain.MAX_ENTRIES);
    Rejections.between("ipv4Prefix", ipv4Prefix, 1, 32);
    Rejections.between("ipv6Prefix", ipv6Prefix, 1, 128);
    if (trustedHops > 0 && !trustedProxies.isEmpty()) {
      throw Rejections.of("trustedHops", trustedHops, "0 where there are trustedProxies");
    }
  }

  /** A copy with other trusted proxies. */
  public HttpSettings withTrustedProxies(List<Network> networks) {
    return new HttpSettings(
        networks, trustedHops, forwardedHeader, ipv4Prefix, ipv6Prefix, pathCaseSensitive, jwt);
  }

  /** A copy with another number of trusted hops. */
  public HttpSettings withTrustedHops(int hops) {
    return new HttpSettings(
        trustedProxies, hops, forwardedHeader, ipv4Prefix, ipv6Prefix, pathCaseSensitive, jwt);
  }

  /** A copy with another forwarded header. */
  public HttpSettings withForwardedHeader(ForwardedHeader header) {
    return new HttpSettings(
        trustedProxies, trustedHops, header, ipv4Prefix, ipv6Prefix, pathCaseSensitive, jwt);
  }

  /** A copy with other prefix lengths. */
  public HttpSettings withPrefixes(int ipv4, int ipv6) {
    return new HttpSettings(
        trustedProxies, trustedHops, forwardedHeader, ipv4, ipv6, pathCaseSensitive, jwt);
  }

  /** A copy with case-sensitive or case-insensitive paths. */
  public HttpSettings withPathCaseSensitive(boolean sensitive) {
    return new HttpSettings(
        trustedProxies, trustedHops, forwardedHeader, ipv4Prefix, ipv6Prefix, sensitive, jwt);
  }

  /** A copy with other token settings; null to read no tokens. */
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
