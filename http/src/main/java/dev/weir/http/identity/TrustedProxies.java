package dev.weir.http.identity;

import dev.weir.http.HttpMeters;
import dev.weir.http.HttpMeters.Event;
import dev.weir.http.address.ForwardedChain;
import dev.weir.http.address.ForwardedHeader;
import dev.weir.http.address.Ip;
import dev.weir.http.address.Network;
import dev.weir.http.request.HttpRequest;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Determines the client address from the trusted proxies of a request. Thread-safe. */
final class TrustedProxies {
  private final Network[] trusted;
  private final int trustedHops;
  private final ForwardedHeader header;
  private final HttpMeters meters;

  TrustedProxies(HttpSettings settings, HttpMeters meters) {
    this.trusted = settings.trustedProxies().toArray(Network[]::new);
    this.trustedHops = settings.trustedHops();
    this.header = settings.forwardedHeader();
    this.meters = meters;
  }

  /** Whether the headers that the peer adds to a request are trusted. */
  boolean trusts(@Nullable Ip peer) {
    return trustedHops > 0 || (peer != null && isTrusted(peer));
  }

  /** Whether every peer counts as a client, even a gateway. */
  boolean trustsNoProxy() {
    return trustedHops == 0 && trusted.length == 0;
  }

  /**
   * The address of the client. If the forwarded header of a trusted peer is unusable it is that of
   * the peer, so that no client gains an identity of its choice, or none.
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
    ForwardedChain chain = new ForwardedChain(lines, header);
    return trustedHops > 0 ? entryAtHop(chain, peer) : firstUntrusted(chain, peer);
  }

  private @Nullable Ip firstUntrusted(ForwardedChain chain, @Nullable Ip peer) {
    Ip farthest = peer;
    while (chain.next()) {
      Ip address = chain.address();
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

  private @Nullable Ip entryAtHop(ForwardedChain chain, @Nullable Ip peer) {
    for (int i = 0; i < trustedHops; i++) {
      if (!chain.next()) {
        return unusable(peer);
      }
    }
    Ip address = chain.address();
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
