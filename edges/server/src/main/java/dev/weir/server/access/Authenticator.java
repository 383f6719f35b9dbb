package dev.weir.server.access;

import dev.weir.server.access.Operator.Role;
import io.netty.util.AsciiString;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.net.SocketAddress;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * Finds out who sent a request to the administration port: by a token, or by the session that
 * somebody began with one. Thread-safe.
 */
public final class Authenticator {
  /** The header in which a program that presents a token names its user. */
  public static final CharSequence NAME_HEADER = AsciiString.cached("weir-operator");

  private final RoleTokens tokens;
  private final AllowedHosts hosts;
  private final Sessions sessions;
  private final FailedTokens failures;
  private final Listener listener;

  /** Notified of wrong tokens. An implementation must be safe for use by any number of threads. */
  @FunctionalInterface
  public interface Listener {
    /**
     * Somebody has begun to present wrong tokens. Called once for a series of them.
     *
     * @param address of the client
     * @param unreported the series since the last call for which there was none
     */
    void onWrongToken(String address, int unreported);
  }

  /**
   * An authenticator of one port.
   *
   * @param hosts the names under which a browser may know the port
   */
  public Authenticator(
      RoleTokens tokens,
      AllowedHosts hosts,
      Sessions sessions,
      FailedTokens failures,
      Listener listener) {
    this.tokens = tokens;
    this.hosts = hosts;
    this.sessions = sessions;
    this.failures = failures;
    this.listener = listener;
  }

  /** Whether clients need a token or a session. */
  public boolean isTokenRequired() {
    return tokens.areRequired();
  }

  /**
   * Who sent a request; empty if it has neither a token nor a session, and needs one.
   *
   * @throws AccessRefused if the token is wrong or not looked at, or if a browser sent the session
   *     for a page of another site
   * @throws IllegalArgumentException if the client gives itself an impossible name
   */
  public Optional<Operator> identify(HttpServerRequest request) {
    String address = address(request);
    String authorization = request.getHeader(HttpHeaders.AUTHORIZATION);
    if (tokens.areRequired() && authorization != null) {
      String token = BearerToken.presented(authorization).orElseThrow(Authenticator::wrong);
      return Optional.of(new Operator(givenName(request), role(token, address), address));
    }
    Optional<Sessions.Login> login = session(request);
    if (login.isPresent()) {
      BrowserOrigin.foreign(request, hosts)
          .ifPresent(
              foreign -> {
                throw new AccessRefused(false, foreign);
              });
      return login.map(who -> new Operator(who.name(), who.role(), address));
    }
    return tokens.areRequired()
        ? Optional.empty()
        : Optional.of(new Operator(givenName(request), Role.OPERATOR, address));
  }

  /** Whether the sender of a request, which may have lasted for long, still has a role. */
  public boolean isStill(HttpServerRequest request, Role role) {
    String authorization = request.getHeader(HttpHeaders.AUTHORIZATION);
    if (!tokens.areRequired() || authorization != null) {
      return true; // tokens do not change
    }
    return session(request).filter(login -> login.role().includes(role)).isPresent();
  }

  /** Who sent a request that needs a token or a session. */
  public Operator require(HttpServerRequest request) {
    return identify(request)
        .orElseThrow(
            () ->
                new AccessRefused(
                    true,
                    "token: none (expected: Authorization: Bearer with the token for"
                        + " administrators or viewers, or a session by POST /login)"));
  }

  /**
   * Begins a session for whoever presents a token, and has the browser keep its cookie. A session
   * that the request belongs to ends; an identifier that the browser presents is never adopted.
   *
   * @param token what the client presents; ignored if none is required
   * @param name how the person names itself
   * @throws AccessRefused if the token is wrong or not looked at
   */
  public Operator logIn(HttpServerRequest request, String token, String name) {
    String address = address(request);
    Role role = tokens.areRequired() ? role(token, address) : Role.OPERATOR;
    SessionCookie.read(request).ifPresent(sessions::end);
    SessionCookie.set(request, sessions.begin(new Sessions.Login(name, role)));
    return new Operator(name, role, address);
  }

  /** Ends the session of a request, if there is one, and returns whose it was. */
  public Optional<Operator> logOut(HttpServerRequest request) {
    Optional<Operator> who =
        session(request).map(login -> new Operator(login.name(), login.role(), address(request)));
    SessionCookie.read(request).ifPresent(sessions::end);
    SessionCookie.clear(request);
    return who;
  }

  private Optional<Sessions.Login> session(HttpServerRequest request) {
    return SessionCookie.read(request).flatMap(sessions::find);
  }

  private Role role(String token, String address) {
    OptionalLong wait = failures.waitSeconds(address);
    if (wait.isPresent()) {
      throw AccessRefused.forNow(wait.getAsLong());
    }
    Optional<Role> role = tokens.role(token);
    if (role.isEmpty()) {
      OptionalInt begun = failures.onFailure(address);
      begun.ifPresent(unreported -> listener.onWrongToken(address, unreported));
      throw wrong();
    }
    failures.onSuccess(address);
    return role.get();
  }

  private static AccessRefused wrong() {
    return new AccessRefused(
        true, "token: a wrong one (expected: the token for administrators or viewers)");
  }

  private static String givenName(HttpServerRequest request) {
    @Nullable String given = request.getHeader(NAME_HEADER);
    if (given == null) {
      return Operator.UNNAMED;
    }
    try {
      return Operator.checkedName(given);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException("Weir-Operator: " + e.getMessage(), e);
    }
  }

  private static String address(HttpServerRequest request) {
    SocketAddress peer = request.remoteAddress();
    String address = peer == null ? null : peer.hostAddress();
    return address == null ? "unknown" : address;
  }
}
