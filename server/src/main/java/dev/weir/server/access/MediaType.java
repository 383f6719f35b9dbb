package dev.weir.server.access;

import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import java.util.List;
import java.util.Optional;

/**
 * What the body of a request is said to be.
 *
 * <p>A page of another site may send forms, plain text and bodies of no kind without asking; for
 * JSON the browser asks us first, and is not told that it may.
 */
public final class MediaType {
  private static final String JSON = "application/json";
  private static final int MAX_SHOWN = 100;

  private MediaType() {}

  /** Why a body is not JSON, if it is not said to be; parameters do not matter. */
  public static Optional<String> notJson(HttpServerRequest request) {
    List<String> given = request.headers().getAll(HttpHeaders.CONTENT_TYPE);
    if (given.size() == 1 && isJson(given.get(0))) {
      return Optional.empty();
    }
    String shown = given.isEmpty() ? "none" : String.join(", ", given);
    String cut = shown.length() > MAX_SHOWN ? shown.substring(0, MAX_SHOWN) + "…" : shown;
    return Optional.of("Content-Type: " + cut + " (expected: " + JSON + ")");
  }

  private static boolean isJson(String type) {
    int end = type.indexOf(';');
    return (end < 0 ? type : type.substring(0, end)).strip().equalsIgnoreCase(JSON);
  }
}
