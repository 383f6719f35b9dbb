package dev.weir.server.access;

import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import java.util.List;
import java.util.Optional;

/**
 * The media type that a request declares for its body.
 *
 * <p>A page of another site may send forms, plain text and bodies without a type at once. Before it
 * sends JSON, the browser makes a CORS preflight request, which this server never grants.
 */
public final class MediaType {
  private static final String JSON = "application/json";
  private static final int MAX_SHOWN = 100;

  private MediaType() {}

  /** Why a body is not declared as JSON; empty if it is. Parameters are ignored. */
  public static Optional<String> notJson(HttpServerRequest request) {
    List<String> types = request.headers().getAll(HttpHeaders.CONTENT_TYPE);
    if (types.size() == 1 && isJson(types.get(0))) {
      return Optional.empty();
    }
    String shown = types.isEmpty() ? "none" : String.join(", ", types);
    String limited = shown.length() > MAX_SHOWN ? shown.substring(0, MAX_SHOWN) + "…" : shown;
    return Optional.of("Content-Type: " + limited + " (expected: " + JSON + ")");
  }

  private static boolean isJson(String type) {
    int end = type.indexOf(';');
    return (end < 0 ? type : type.substring(0, end)).strip().equalsIgnoreCase(JSON);
  }
}
