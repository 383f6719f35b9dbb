package dev.weir.server;

import dev.weir.http.HttpRequest;
import io.vertx.core.http.HttpServerRequest;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The request that a gateway asks about, as it tells it.
 *
 * <p>A path after {@code /v1/check} is the original path, and the request's own method the original
 * method: so asks Envoy. Otherwise the gateway tells both in headers. The path comes first because
 * gateways that send it also pass on the client's headers, with whatever the client wrote into
 * them.
 */
final class ProxiedRequest implements HttpRequest {
  private final HttpServerRequest asked;
  private final String method;
  private final String target;
  private final @Nullable String authority;
  private final VouchedHeaders vouched;

  private ProxiedRequest(
      HttpServerRequest asked,
      VouchedHeaders vouched,
      String method,
      String target,
      @Nullable String authority) {
    this.asked = asked;
    this.vouched = vouched;
    this.method = method;
    this.target = target;
    this.authority = authority;
  }

  /**
   * @param trailing what follows the path of the endpoint, with the query
   */
  static ProxiedRequest of(HttpServerRequest asked, String trailing, VouchedHeaders vouched) {
    String host = asked.getHeader("host");
    String own = host == null && asked.authority() != null ? asked.authority().toString() : host;
    if (trailing.startsWith("/")) {
      return new ProxiedRequest(asked, vouched, asked.method().name(), trailing, own);
    }
    String method = first(asked, "x-forwarded-method", "x-original-method", asked.method().name());
    String target = first(asked, "x-forwarded-uri", "x-original-uri", "/");
    String authority = first(asked, "x-forwarded-host", "x-original-host", own == null ? "" : own);
    return new ProxiedRequest(asked, vouched, method, target, authority);
  }

  private static String first(
      HttpServerRequest asked, String name, String other, String otherwise) {
    String value = asked.getHeader(name);
    value = value == null ? asked.getHeader(other) : value;
    return value == null ? otherwise : value;
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
