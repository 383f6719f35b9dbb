package dev.weir.http.identity;

import dev.weir.Descriptor;
import dev.weir.http.HttpMeters.Event;
import dev.weir.http.address.Ip;
import dev.weir.http.jwt.JwtReader;
import dev.weir.http.jwt.TokenLocation;
import dev.weir.http.jwt.VerifiedToken;
import dev.weir.http.request.AbsoluteForm;
import dev.weir.http.request.CanonicalPath;
import dev.weir.http.request.Cookies;
import dev.weir.http.request.Host;
import dev.weir.http.request.HttpRequest;
import dev.weir.http.request.Method;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * The values of one request. What several values need is computed once, on first use. Not
 * thread-safe.
 *
 * <p>All values are available at once, except for the claims of a token that must be verified
 * first. Verification is expensive, so the caller decides about it: none if no rule needs a claim,
 * and on another thread if the calling one must not block.
 */
public final class RequestValues {
  /** The length of the longest header, cookie or principal; a longer one is unusable. */
  static final int MAX_CHARS = 8192;

  private final HttpRequest request;
  private final HttpReader reader;

  private @Nullable HopByHop hopByHop;
  private @Nullable CanonicalPath path;
  private @Nullable String @Nullable [] cookies;
  private @Nullable VerifiedToken verified;
  private @Nullable String unverifiedToken;
  private boolean peerKnown;
  private @Nullable Ip peer;
  private boolean clientKnown;
  private @Nullable Ip client;
  private final Descriptor values;

  RequestValues(HttpRequest request, HttpReader reader) {
    this.request = request;
    this.reader = reader;
    this.values = reader.plan().extract(this);
  }

  /** The values of the request that are known without verifying a token. */
  public Descriptor values() {
    return values;
  }

  /**
   * Whether the {@link #values} lack claims, because the token that may have them is not verified
   * yet.
   */
  public boolean isUnverified() {
    return unverifiedToken != null;
  }

  /** All values of the request. Verifies its token on the calling thread, if necessary. */
  public Descriptor verify() {
    JwtReader jwt = reader.jwt();
    return jwt == null || unverifiedToken == null
        ? values
        : withClaims(jwt.verify(unverifiedToken, clientPrefix(), mayBeGateway()));
  }

  /**
   * All values of the request. Verifies its token on another thread, if necessary, and completes
   * the stage there. The claims are {@link Descriptor#UNUSABLE} if too many tokens are queued, or
   * if too many tokens from the same address were forged.
   */
  public CompletionStage<Descriptor> verifyAsync() {
    JwtReader jwt = reader.jwt();
    return jwt == null || unverifiedToken == null
        ? CompletableFuture.completedStage(values)
        : jwt.verifyAsync(unverifiedToken, clientPrefix(), mayBeGateway())
            .thenApply(this::withClaims);
  }

  /** Whether the peer is a proxy whose headers are trusted. */
  public boolean isPeerTrusted() {
    return reader.proxies().trusts(peer());
  }

  /** The address of the client, behind trusted proxies; null if it has none. */
  public @Nullable String clientAddress() {
    return clientExact();
  }

  private boolean mayBeGateway() {
    return reader.proxies().trustsNoProxy();
  }

  private Descriptor withClaims(VerifiedToken token) {
    return reader.plan().withClaims(values, token.claims());
  }

  String method() {
    String method = Method.of(request.method());
    if (Descriptor.isUnusable(method)) {
      count(Event.METHOD_UNUSABLE);
    }
    return method;
  }

  /**
   * The host of the header or of the target. By RFC 9112 the target takes precedence, but many
   * applications read the header alone: so the two must agree.
   */
  @Nullable String host() {
    String authority = request.authority();
    String named = authority == null ? null : Host.of(authority);
    String target = request.target();
    AbsoluteForm absolute = target.startsWith("/") ? null : AbsoluteForm.of(target);
    String host = named;
    if (absolute != null) {
      host = Host.of(target.substring(absolute.authorityStart(), absolute.authorityEnd()));
      host = authority == null || Objects.equals(named, host) ? host : Descriptor.UNUSABLE;
    }
    if (Descriptor.isUnusable(host)) {
      count(Event.HOST_UNUSABLE);
    }
    return host;
  }

  CanonicalPath path() {
    CanonicalPath known = path;
    if (known == null) {
      known = CanonicalPath.of(request.target(), reader.settings().pathCaseSensitive());
      if (Descriptor.isUnusable(known.path())) {
        count(Event.PATH_UNUSABLE);
      } else if (!known.otherReadings().isEmpty()) {
        count(Event.PATH_AMBIGUOUS);
      }
      path = known;
    }
    return known;
  }

  @Nullable String clientPrefix() {
    Ip address = client();
    HttpSettings settings = reader.settings();
    return address == null ? null : address.prefix(settings.ipv4Prefix(), settings.ipv6Prefix());
  }

  @Nullable String clientExact() {
    Ip address = client();
    return address == null ? null : address.toString();
  }

  /** The authenticated user as the application names it; an empty name is none. */
  @Nullable String principal() {
    String name = request.principal();
    return name == null || name.isBlank() ? null : bounded(name);
  }

  @Nullable String header(String name) {
    return bounded(single(name));
  }

  @Nullable String trustedHeader(String name) {
    return reader.proxies().trusts(peer()) && request.vouchesFor(name) ? header(name) : null;
  }

  @Nullable String cookie(int index) {
    return bounded(cookies()[index]);
  }

  private @Nullable String bounded(@Nullable String value) {
    if (value != null && value.length() > MAX_CHARS) {
      count(Event.HEADER_OVERSIZED);
      return Descriptor.UNUSABLE;
    }
    return value;
  }

  @Nullable String claim(int index) {
    JwtReader jwt = reader.jwt();
    if (jwt == null || unverifiedToken != null) {
      return null;
    }
    VerifiedToken known = verified;
    if (known == null) {
      String token = token(jwt.tokenLocation());
      known = jwt.lookUp(token);
      if (known == null) {
        unverifiedToken = token;
        return null;
      }
      verified = known;
    }
    return known.claims()[index];
  }

  private @Nullable String token(TokenLocation location) {
    return switch (location.kind()) {
      case HEADER -> location.tokenIn(single(location.name()));
      case COOKIE -> cookies()[0];
    };
  }

  /** The only value of a header; unusable if there are several, null if none or an empty one. */
  private @Nullable String single(String name) {
    List<String> values = request.headers(name);
    if (values.isEmpty()) {
      return null;
    }
    String value = values.get(0).trim();
    for (int i = 1; i < values.size(); i++) {
      if (!values.get(i).trim().equals(value)) {
        count(Event.HEADER_DUPLICATE);
        return Descriptor.UNUSABLE;
      }
    }
    if (value.isEmpty()) {
      return null;
    }
    if (hopByHop().names(name)) {
      count(Event.HEADER_HOP_BY_HOP);
      return Descriptor.UNUSABLE;
    }
    return value;
  }

  private @Nullable String[] cookies() {
    @Nullable String[] known = cookies;
    if (known == null) {
      List<String> lines = request.headers("cookie");
      boolean removable = !lines.isEmpty() && hopByHop().names("cookie");
      if (removable) {
        count(Event.HEADER_HOP_BY_HOP);
      }
      known = Cookies.read(lines, reader.plan().cookies(), reader.meters());
      for (int i = 0; removable && i < known.length; i++) {
        known[i] = known[i] == null ? null : Descriptor.UNUSABLE;
      }
      cookies = known;
    }
    return known;
  }

  private @Nullable Ip client() {
    if (!clientKnown) {
      client = reader.proxies().client(request, peer(), hopByHop());
      clientKnown = true;
    }
    return client;
  }

  private @Nullable Ip peer() {
    if (!peerKnown) {
      String text = request.peer();
      peer = text == null ? null : Ip.parse(text);
      if (text != null && peer == null) {
        count(Event.PEER_UNUSABLE);
      }
      peerKnown = true;
    }
    return peer;
  }

  private HopByHop hopByHop() {
    HopByHop known = hopByHop;
    if (known == null) {
      known = new HopByHop(request.headers("connection"));
      hopByHop = known;
    }
    return known;
  }

  private void count(Event event) {
    reader.meters().count(event);
  }
}
