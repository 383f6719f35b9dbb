package dev.weir.server;

import dev.weir.Descriptor;
import dev.weir.http.HopByHop;
import dev.weir.http.HttpRequest;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpVersion;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The request that a gateway asks about, as it tells it.
 *
 * <p>A path after {@code /v1/check} is the original path, and the request's own method the original
 * method: so asks Envoy. No header is looked at then, because gateways that send the path also pass
 * on the client's headers, with whatever the client wrote into them.
 *
 * <p>Otherwise the gateway tells method, target and host in headers of one {@linkplain
 * ForwardedFamily family}. It has to tell all three: what it does not write, a client could. A
 * header that came with two values, or is named in {@code Connection}, is {@linkplain
 * Descriptor#UNUSABLE of no use}: one of them, or its removal, is the client's doing.
 */
final class ProxiedRequest implements HttpRequest {
  private final HttpServerRequest asked;
  private final String method;
  private final String target;
  private final String authority;
  private final VouchedHeaders vouched;

  private ProxiedRequest(
      HttpServerRequest asked,
      VouchedHeaders vouched,
      String method,
      String target,
      String authority) {
    this.asked = asked;
    this.vouched = vouched;
    this.method = method;
    this.target = target;
    this.authority = authority;
  }

  /**
   * @throws IllegalArgumentException if the gateway does not tell the request: it would look as if
   *     limits were enforced, and rules for paths would never apply
   */
  static ProxiedRequest of(HttpServerRequest asked, CheckParameters parameters) {
    String trailing = asked.uri().substring(parameters.end());
    ForwardedFamily family = parameters.family();
    if (!trailing.startsWith("/")) {
      return told(asked, family == null ? ForwardedFamily.FORWARDED : family, parameters.vouched());
    }
    if (family != null) {
      throw DecideRequest.refused(
          "path", trailing, "no path behind ;headers=, which says that headers tell it");
    }
    return new ProxiedRequest(
        asked, parameters.vouched(), asked.method().name(), trailing, own(asked));
  }

  private static ProxiedRequest told(
      HttpServerRequest asked, ForwardedFamily family, VouchedHeaders vouched) {
    HopByHop hopByHop = new HopByHop(asked.headers().getAll("connection"));
    String target = one(asked, family, "Uri", hopByHop);
    String method = one(asked, family, "Method", hopByHop);
    String host = one(asked, family, "Host", hopByHop);
    if (target.isEmpty() || method.isEmpty()) {
      throw absent(family, target.isEmpty() ? "Uri" : "Method");
    }
    return new ProxiedRequest(asked, vouched, method, target, host);
  }

  /**
   * The host of the question itself, of which HTTP/2 may have two. If it has none, as in HTTP/1.0,
   * the application behind takes it for whatever host is its default.
   */
  private static String own(HttpServerRequest asked) {
    String host = asked.getHeader("host");
    String authority = asked.authority() == null ? null : asked.authority().toString();
    boolean clash =
        asked.version() == HttpVersion.HTTP_2
            && host != null
            && authority != null
            && !host.equalsIgnoreCase(authority);
    String one = host == null ? authority : host;
    return clash || one == null ? Descriptor.UNUSABLE : one;
  }

  private static String one(
      HttpServerRequest asked, ForwardedFamily family, String part, HopByHop hopByHop) {
    List<String> values = asked.headers().getAll(family.header(part));
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
            + other.word());
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
    return asked.headers().getAll(name);
  }

  @Override
  public boolean vouchesFor(String name) {
    return vouched.contains(name);
  }

  @Override
  public @Nullable String peer() {
    return asked.remoteAddress() == null ? null : asked.remoteAddress().hostAddress();
  }
}
