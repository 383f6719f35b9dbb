package dev.weir.http;

import dev.weir.http.HttpMeters.Event;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Whom to believe about where a request comes from. */
final class Proxies {
  private final Network[] trusted;
  private final int trustedHops;
  private final ForwardedHeader header;
  private final HttpMeters meters;

  Proxies(HttpSettings settings, HttpMeters meters) {
    this.trusted = settings.trustedProxies().toArray(Network[]::new);
    this.trustedHops = settings.trustedHops();
    this.header = settings.forwardedHeader();
    this.meters = meters;
  }

  /** Whether what the peer adds to a request is to be believed. */
  boolean trusts(@Nullable Ip peer) {
    return trustedHops > 0 || (peer != null && isTrusted(peer));
  }

  /** Whether everybody is taken for a client, a gateway among them. */
  boolean trustsNobody() {
    return trustedHops == 0 && trusted.length == 0;
  }

  /**
   * The client's address. Where a trusted peer's word cannot be used it is the peer's, so that
   * nobody gains an identity of their choice, or none.
   */
  @Nullable Ip client(HttpRequest request, @Nullable Ip peer, HopByHop hopByHop) {
    if (!trusts(peer)) {
      return peer;
    }
    List<String> lines = request.headers(header.headerName());
    if (lines.isEmpty()) {
      return peer;
    }
    if (hopByHop.names(header.headerName())) {
      meters.count(Event.HEADER_HOP_BY_HOP);
      return unusable(peer);
    }
    Hops hops = new Hops(lines, header);
    return trustedHops > 0 ? countHops(hops, peer) : walk(hops, peer);
  }

  private @Nullable Ip walk(Hops hops, @Nullable Ip peer) {
    Ip farthest = peer;
    while (hops.next()) {
      Ip address = hops.address();
      if (address == null) {
        return unusable(peer);
      }
      if (!isTrusted(address)) {
        return address;
      }
      farthest = address;
    }
    return farthest;
  }

  private @Nullable Ip countHops(Hops hops, @Nullable Ip peer) {
    for (int i = 0; i < trustedHops; i++) {
      if (!hops.next()) {
        return unusable(peer);
      }
    }
    Ip address = hops.address();
    return address == null ? unusable(peer) : address;
  }

  private @Nullable Ip unusable(@Nullable Ip peer) {
    meters.count(Event.FORWARDED_UNUSABLE);
    return peer;
  }

  private boolean isTrusted(Ip address) {
    for (Network network : trusted) {
      if (network.contains(address)) {
        return true;
      }
    }
    return false;
  }
}
