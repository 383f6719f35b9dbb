package dev.weir.cli.explain;

import dev.weir.cli.command.SyntheticRequest;
import dev.weir.http.HttpMeters;
import dev.weir.http.HttpMeters.Event;
import dev.weir.http.address.ForwardedHeader;
import dev.weir.http.address.Ip;
import dev.weir.http.identity.HttpSettings;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Notes on how a request was interpreted, where that is not obvious. */
final class RequestNotes {
  private RequestNotes() {}

  /** The reason for the client's address. */
  static String client(
      HttpSettings http, SyntheticRequest request, @Nullable String client, boolean unusable) {
    boolean rfc = http.forwardedHeader() == ForwardedHeader.FORWARDED;
    String header = rfc ? "Forwarded" : "X-Forwarded-For";
    boolean sent = !request.headers(header).isEmpty();
    Ip peer = Objects.requireNonNull(Ip.parse(request.peer()));
    boolean trusted = http.trustedProxies().stream().anyMatch(proxies -> proxies.contains(peer));
    if (http.trustedHops() == 0 && !trusted) {
      String ignored = sent ? ", so its " + header + " is not believed" : "";
      return "the peer, which is not a trusted proxy" + ignored;
    }
    String proxy = trusted ? "a trusted proxy" : "taken for a proxy because of trusted-hops";
    if (!sent) {
      return "the peer, " + proxy + ", which sent no " + header;
    }
    if (unusable) {
      return "the peer, " + proxy + ", whose " + header + " cannot be used";
    }
    if (http.trustedHops() > 0) {
      return "entry " + http.trustedHops() + " from the right of " + header;
    }
    Ip address = client == null ? null : Ip.parse(client);
    boolean alsoProxy =
        address != null && http.trustedProxies().stream().anyMatch(one -> one.contains(address));
    return alsoProxy
        ? "the first in " + header + ", since all of it are trusted proxies"
        : "the last in " + header + " that is not a trusted proxy; the peer is one";
  }

  /** A note for each irregularity in the request. */
  static List<String> of(HttpMeters meters) {
    List<String> notes = new ArrayList<>();
    for (Event event : Event.values()) {
      String note = meters.of(event) == 0 ? null : note(event);
      if (note != null) {
        notes.add(note);
      }
    }
    return notes;
  }

  private static @Nullable String note(Event event) {
    return switch (event) {
      case PEER_UNUSABLE, FORWARDED_UNUSABLE, JWT_CACHE_HIT, JWT_CACHE_MISS, JWKS_LOADED -> null;
      case HEADER_DUPLICATE -> "a header with conflicting values is unusable";
      case HEADER_HOP_BY_HOP -> "a header named in Connection is unusable";
      case HEADER_OVERSIZED -> "a header or cookie that is too long is unusable";
      case COOKIE_DUPLICATE -> "a cookie with conflicting values is unusable";
      case METHOD_UNUSABLE -> "the method is invalid; every rule on methods applies";
      case HOST_UNUSABLE ->
          "the host is invalid, or there are several; every rule on hosts applies";
      case PATH_AMBIGUOUS -> "the path can be read in several ways; rules for any of them apply";
      case PATH_UNUSABLE ->
          "the path can be read in too many ways, or is too long; every rule on paths applies";
      case JWT_OVER_BUDGET, JWT_QUEUE_FULL ->
          "token: not verified, because there are too many others; jwt values are unusable";
      case JWKS_FAILED -> "the keys to verify tokens with cannot be read";
      default ->
          "token: " + event.label().substring(4).replace('-', ' ') + "; jwt values are absent";
    };
  }
}
