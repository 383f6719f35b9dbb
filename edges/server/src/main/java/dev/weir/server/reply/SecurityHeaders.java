package dev.weir.server.reply;

import io.netty.util.AsciiString;
import io.vertx.core.MultiMap;
import io.vertx.core.http.HttpServerResponse;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Headers by which a browser restricts what other sites can do with a response, and what a page of
 * this server can load.
 */
final class SecurityHeaders {
  /**
   * Scripts, styles and data of this server alone: no script in the page itself, so that text of a
   * client that gets into the page cannot run.
   */
  private static final String CONTENT_POLICY =
      "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self';"
          + " img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

  private static final Map<CharSequence, CharSequence> FIELDS = new LinkedHashMap<>();

  static {
    put("content-security-policy", CONTENT_POLICY);
    put("x-frame-options", "DENY");
    put("x-content-type-options", "nosniff");
    put("referrer-policy", "no-referrer");
    put("cross-origin-opener-policy", "same-origin");
    put("cross-origin-resource-policy", "same-origin");
    put("cache-control", "no-store"); // until somebody says otherwise
  }

  private SecurityHeaders() {}

  private static void put(String name, String value) {
    FIELDS.put(AsciiString.cached(name), AsciiString.cached(value));
  }

  /** Adds the headers to a response that has none yet. */
  static void write(HttpServerResponse response) {
    MultiMap headers = response.headers();
    FIELDS.forEach(headers::set);
  }
}
