package dev.weir.client.spring;

import java.util.Map;
import org.springframework.http.HttpHeaders;

/** What a request says about itself. */
final class Attributes {
  private static final String IDEMPOTENCY_KEY = "Idempotency-Key";

  private Attributes() {}

  /** Whether the caller says that a request may be sent more than once. */
  static boolean isRepeatable(HttpHeaders headers, Map<String, Object> attributes) {
    return headers.containsHeader(IDEMPOTENCY_KEY)
        || Boolean.TRUE.equals(attributes.get(WeirExchangeFilter.REPEATABLE));
  }
}
