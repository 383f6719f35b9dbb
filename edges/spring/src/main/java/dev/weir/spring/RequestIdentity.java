package dev.weir.spring;

import dev.weir.http.request.HttpRequest;
import java.security.Principal;
import org.jspecify.annotations.Nullable;

/**
 * Who makes a request: what rules call {@code principal}. Declare a bean of this type to count by
 * something else than the name that Spring Security has authenticated, such as the tenant of the
 * user. Implementations are thread-safe and do not block.
 */
@FunctionalInterface
public interface RequestIdentity {
  /**
   * The principal of a request; null if it has none.
   *
   * @param user whom the application has authenticated; null if nobody
   */
  @Nullable String principal(HttpRequest request, @Nullable Principal user);
}
