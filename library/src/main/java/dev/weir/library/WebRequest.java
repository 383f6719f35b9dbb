package dev.weir.library;

import dev.weir.http.request.HttpRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** An HTTP request for {@link RulesLimiter#check}, put together from its parts. Immutable. */
public final class WebRequest implements HttpRequest {
  private final String method;
  private final String target;
  private final @Nullable String authority;
  private final @Nullable String peer;
  private final @Nullable String principal;
  private final Map<String, List<String>> headers;

  private WebRequest(
      String method,
      String target,
      @Nullable String authority,
      @Nullable String peer,
      @Nullable String principal,
      Map<String, List<String>> headers) {
    this.method = method;
    this.target = target;
    this.authority = authority;
    this.peer = peer;
    this.principal = principal;
    this.headers = headers;
  }

  /**
   * A request without headers.
   *
   * @param target as sent: {@code /path?query}, nothing decoded
   */
  public static WebRequest of(String method, String target) {
    return new WebRequest(method, target, null, null, null, Map.of());
  }

  /** The same from a peer with this IP address. */
  public WebRequest from(String address) {
    return new WebRequest(method, target, authority, address, principal, headers);
  }

  /** The same to a host. */
  public WebRequest host(String host) {
    return new WebRequest(method, target, host, peer, principal, headers);
  }

  /** The same by an authenticated user. */
  public WebRequest principal(String name) {
    return new WebRequest(method, target, authority, peer, name, headers);
  }

  /** The same with one more header. */
  public WebRequest header(String name, String value) {
    Map<String, List<String>> more = new TreeMap<>(headers);
    List<String> values =
        new ArrayList<>(more.getOrDefault(name.toLowerCase(Locale.ROOT), List.of()));
    values.add(value);
    more.put(name.toLowerCase(Locale.ROOT), List.copyOf(values));
    return new WebRequest(method, target, authority, peer, principal, more);
  }

  @Override
  public String method() {
    return method;
  }

  @Override
  public String target() {
    return target;
  }

  @Override
  public @Nullable String authority() {
    return authority;
  }

  @Override
  public List<String> headers(String name) {
    return headers.getOrDefault(name.toLowerCase(Locale.ROOT), List.of());
  }

  @Override
  public @Nullable String peer() {
    return peer;
  }

  @Override
  public @Nullable String principal() {
    return principal;
  }

  @Override
  public String toString() {
    return method + " " + target;
  }
}
