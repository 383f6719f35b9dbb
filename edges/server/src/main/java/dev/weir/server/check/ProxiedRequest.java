package dev.weir.server.check;

import dev.weir.Descriptor;
import dev.weir.http.identity.HopByHop;
import dev.weir.http.request.HttpRequest;
import dev.weir.server.decide.DecideRequest;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpVersion;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The original request that a gateway asks about.
 *
 * <p>A path after {@code /v1/check} is the original path, and the method of the check the original
 * method, as Envoy sends it. Headers are ignored then, because gateways that send the path also
 * pass on the client's headers, with whatever the client wrote into them.
 *
 * <p>Otherwise the gateway passes on method, target and host in headers of one {@linkplain
 * ForwardedFamily family}. It has to send all three: a client could write any header that the
 * gateway does not. A header with two values, or named in {@code Connection}, is {@linkplain
 * Descriptor#UNUSABLE unusable}: one of the values, or the removal, comes from the client.
 */
final class ProxiedRequest implements HttpRequest {
  private final HttpServerRequest check;
  private final String method;
  private final String target;
  private final String authority;
  private final VouchedHeaders vouched;

  private ProxiedRequest(
      HttpServerRequest check,
      VouchedHeaders vouched,
      String method,
      String target,
      String authority) {
    this.check = check;
    this.vouched = vouched;
    this.method = method;
    this.target = target;
    this.authority = authority;
  }

  /**
   * Reads the original request.
   *
   * @throws IllegalArgumentException if the gateway does not pass it on: limits would seem to be
   *     enforced, and rules for paths would never apply
   */
  static ProxiedRequest of(HttpServerRequest check, CheckParameters parameters) {
    String trailing = check.uri().substring(parameters.end());
    ForwardedFamily family = parameters.family();
    if (!trailing.startsWith("/")) {
      return forwarded(
          check, family == null ? ForwardedFamily.FORWARDED : family, parameters.vouched());
    }
    if (family != null) {
      throw DecideRequest.refused(
          "path", trailing, "no path behind ;headers=, which says that headers tell it");
    }
    return new ProxiedRequest(
        check, parameters.vouched(), check.method().name(), trailing, ownHost(check));
  }

  private static ProxiedRequest forwarded(
      HttpServerRequest check, ForwardedFamily family, VouchedHeaders vouched) {
    HopByHop hopByHop = new HopByHop(check.headers().getAll("connection"));
    String target = one(check, family, "Uri", hopByHop);
    String method = one(check, family, "Method", hopByHop);
    String host = one(check, family, "Host", hopByHop);
    if (target.isEmpty() || method.isEmpty()) {
      throw absent(family, target.isEmpty() ? "Uri" : "Method");
    }
    return new ProxiedRequest(check, vouched, method, target, host);
  }

  /**
   * The host of the check itself. HTTP/2 may have two of them. HTTP/1.0 may have none, and then the
   * application behind the gateway uses its default host.
   */
  private static String ownHost(HttpServerRequest check) {
    String host = check.getHeader("host");
    String authority = check.authority() == null ? null : check.authority().toString();
    boolean clash =
        check.version() == HttpVersion.HTTP_2
            && host != null
            && authority != null
            && !host.equalsIgnoreCase(authority);
    String one = host == null ? authority : host;
    return clash || one == null ? Descriptor.UNUSABLE : one;
  }

  private static String one(
      HttpServerRequest check, ForwardedFamily family, String part, HopByHop hopByHop) {
    List<String> values = check.headers().getAll(family.header(part));
    if (values.isEmpty()) {
      throw absent(family, part);
    }
    String value = values.get(0);
    for (int i = 1; i < values.size(); i++) {
      if (!values.get(i).equals(value)) {
        return Descriptor.UNUSABLE;
      }
    }
    return hopByHop.names(family.header(part)) ? Descriptor.UNUSABLE : value;
  }

  private static IllegalArgumentException absent(ForwardedFamily family, String part) {
    ForwardedFamily other =
        family == ForwardedFamily.FORWARDED ? ForwardedFamily.ORIGINAL : ForwardedFamily.FORWARDED;
    return DecideRequest.refused(
        family.header(part),
        "absent",
        "the original request in "
            + family.header("Method")
            + ", -Uri and -Host; or a path behind /v1/check; or "
            + other.header("Method")
            + ", -Uri and -Host for /v1/check;headers="
            + other.label());
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
  public String authority() {
    return authority;
  }

  @Override
  public List<String> headers(String name) {
    return check.headers().getAll(name);
  }

  @Override
  public boolean vouchesFor(String name) {
    return vouched.contains(name);
  }

  @Override
  public @Nullable String peer() {
    return check.remoteAddress() == null ? null : check.remoteAddress().hostAddress();
  }
}
