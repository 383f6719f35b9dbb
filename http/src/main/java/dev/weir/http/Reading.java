package dev.weir.http;

import dev.weir.Descriptor;
import dev.weir.http.HttpMeters.Event;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * One request being read: whatever several values need is worked out once, when first asked for.
 *
 * <p>All values are there at once, except for the claims of a token that takes a verification. To
 * verify is dear, so that is left to whoever reads: not at all if no rule needs a claim, on another
 * thread if this one must not be held up.
 */
public final class Reading {
  /** The longest value a header or cookie may have; what is longer is of no use. */
  static final int MAX_CHARS = 8192;

  private final HttpRequest request;
  private final HttpReader reader;

  private @Nullable HopByHop hopByHop;
  private @Nullable CanonicalPath path;
  private @Nullable String @Nullable [] cookies;
  private @Nullable Verdict verdict;
  private @Nullable String unverified;
  private boolean peerKnown;
  private @Nullable Ip peer;
  private boolean clientKnown;
  private @Nullable Ip client;
  private final Descriptor values;

  Reading(HttpRequest request, HttpReader reader) {
    this.request = request;
    this.reader = reader;
    this.values = reader.plan().values(this);
  }

  /** The values of the request, as far as they are known without verifying a token. */
  public Descriptor values() {
    return values;
  }

  /**
   * Whether claims are left out of the {@link #values}, because the token that may have them was
   * not verified yet.
   */
  public boolean isUnverified() {
    return unverified != null;
  }

  /** All values of the request; verifies its token on this thread, if need be. */
  public Descriptor verify() {
    JwtReader jwt = reader.jwt();
    return jwt == null || unverified == null
        ? values
        : withClaims(jwt.verify(unverified, account()));
  }

  /**
   * All values of the request; its token is verified on another thread, if need be, and the stage
   * completed there. If that thread has too much to do the claims are {@linkplain
   * Descriptor#UNUSABLE of no use}, as they are if too many tokens from the same address were
   * forged.
   */
  public CompletionStage<Descriptor> verifyLater() {
    JwtReader jwt = reader.jwt();
    return jwt == null || unverified == null
        ? CompletableFuture.completedStage(values)
        : jwt.verifyLater(unverified, account()).thenApply(this::withClaims);
  }

  private FailureBudget.Account account() {
    boolean gateway = reader.proxies().trustsNobody();
    return reader.verifications().failures().of(clientPrefix(), gateway);
  }

  private Descriptor withClaims(Verdict verified) {
    return reader.plan().withClaims(values, verified.claims());
  }

  String method() {
    String method = Method.of(request.method());
    if (Descriptor.isUnusable(method)) {
      count(Event.METHOD_UNUSABLE);
    }
    return method;
  }

  /**
   * The host of the header, or that which the target names. RFC 9112 has that outrank the header,
   * but many an application looks at the header alone: they have to agree.
   */
  @Nullable String host() {
    String authority = request.authority();
    String received = authority == null ? null : Host.of(authority);
    String target = request.target();
    AbsoluteForm absolute = target.startsWith("/") ? null : AbsoluteForm.of(target);
    String host = received;
    if (absolute != null) {
      host = Host.of(target.substring(absolute.authorityStart(), absolute.authorityEnd()));
      host = authority == null || Objects.equals(received, host) ? host : Descriptor.UNUSABLE;
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
    if (jwt == null || unverified != null) {
      return null;
    }
    Verdict known = verdict;
    if (known == null) {
      String token = token(jwt.place());
      known = jwt.known(token);
      if (known == null) {
        unverified = token;
        return null;
      }
      verdict = known;
    }
    return known.claims()[index];
  }

  private @Nullable String token(TokenPlace place) {
    return switch (place.kind()) {
      case HEADER -> place.tokenIn(single(place.name()));
      case COOKIE -> cookies()[0];
    };
  }

  /** The value of a header, of no use unless it is just one; null if all there is, is empty. */
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
      boolean dropped = !lines.isEmpty() && hopByHop().names("cookie");
      if (dropped) {
        count(Event.HEADER_HOP_BY_HOP);
      }
      known = Cookies.read(lines, reader.plan().cookies(), reader.meters());
      for (int i = 0; dropped && i < known.length; i++) {
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
