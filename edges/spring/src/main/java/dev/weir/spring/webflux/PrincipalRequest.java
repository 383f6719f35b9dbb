package dev.weir.spring.webflux;

import dev.weir.http.request.HttpRequest;
import dev.weir.spring.RequestIdentity;
import java.security.Principal;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.util.ClassUtils;
import org.springframework.web.server.ServerWebExchange;
import reactor.core.publisher.Mono;

/** A request of a user whom the application has authenticated. */
final class PrincipalRequest implements HttpRequest {
  private static final String ANONYMOUS =
      "org.springframework.security.authentication.AnonymousAuthenticationToken";
  private static final @Nullable Class<?> ANONYMOUS_TYPE = anonymousType();

  private final HttpRequest request;
  private final @Nullable String principal;

  private PrincipalRequest(HttpRequest request, @Nullable String principal) {
    this.request = request;
    this.principal = principal;
  }

  private static @Nullable Class<?> anonymousType() {
    ClassLoader loader = PrincipalRequest.class.getClassLoader();
    return ClassUtils.isPresent(ANONYMOUS, loader)
        ? ClassUtils.resolveClassName(ANONYMOUS, loader)
        : null;
  }

  static Mono<HttpRequest> of(
      HttpRequest received, RequestIdentity identity, ServerWebExchange exchange) {
    return exchange
        .getPrincipal()
        .filter(user -> ANONYMOUS_TYPE == null || !ANONYMOUS_TYPE.isInstance(user))
        .map(user -> Optional.<Principal>of(user))
        .defaultIfEmpty(Optional.empty())
        .map(
            user ->
                new PrincipalRequest(received, identity.principal(received, user.orElse(null))));
  }

  @Override
  public String method() {
    return request.method();
  }

  @Override
  public String target() {
    return request.target();
  }

  @Override
  public @Nullable String authority() {
    return request.authority();
  }

  @Override
  public List<String> headers(String name) {
    return request.headers(name);
  }

  @Override
  public @Nullable String peer() {
    return request.peer();
  }

  @Override
  public @Nullable String principal() {
    return principal;
  }

  @Override
  public String toString() {
    return request.toString();
  }
}
