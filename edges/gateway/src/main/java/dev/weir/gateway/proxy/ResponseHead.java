package dev.weir.gateway.proxy;

import dev.weir.http.identity.HopByHop;
import io.vertx.core.MultiMap;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.http.HttpVersion;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The status and the headers of an upstream's response, for the client. */
final class ResponseHead {
  private static final int OK = 200;
  private static final int NO_CONTENT = 204;
  private static final int NOT_MODIFIED = 304;

  private ResponseHead() {}

  /** Copies the status and the headers, without what belongs to the upstream's connection. */
  static void copy(HttpClientResponse from, HttpServerRequest request) {
    HttpServerResponse to = request.response();
    to.setStatusCode(from.statusCode());
    if (request.version() != HttpVersion.HTTP_2 && from.statusMessage() != null) {
      to.setStatusMessage(from.statusMessage());
    }
    List<String> connection = from.headers().getAll(HttpHeaders.CONNECTION);
    HopByHop named = connection.isEmpty() ? null : new HopByHop(connection);
    MultiMap headers = to.headers();
    for (var header : from.headers()) {
      String name = header.getKey();
      if (!name.startsWith(":")
          && !HeaderNames.isHopByHop(name)
          && isKept(name, named)
          && !(from.statusCode() == NO_CONTENT && name.equalsIgnoreCase("content-length"))) {
        headers.add(name, header.getValue());
      }
    }
    boolean sized = headers.contains(HttpHeaders.CONTENT_LENGTH);
    if (!sized && mayHaveBody(from.statusCode(), request)) {
      to.setChunked(true);
    }
  }

  private static boolean isKept(String name, @Nullable HopByHop named) {
    return named == null || name.equalsIgnoreCase("content-length") || !named.names(name);
  }

  private static boolean mayHaveBody(int status, HttpServerRequest request) {
    return status >= OK
        && status != NO_CONTENT
        && status != NOT_MODIFIED
        && !request.method().name().equals("HEAD");
  }

  /**
   * Whether a response announces a body that its status does not allow. If the upstream sends it,
   * it looks like the response to the next request on the connection.
   */
  static boolean isMisframed(HttpClientResponse from) {
    String length = from.getHeader(HttpHeaders.CONTENT_LENGTH);
    return (from.statusCode() == NO_CONTENT && length != null && !length.equals("0"))
        || ((from.statusCode() == NO_CONTENT || from.statusCode() == NOT_MODIFIED)
            && from.headers().contains(HttpHeaders.TRANSFER_ENCODING));
  }

  /**
   * The length that a response states of its body; -1 if it states none, or trailers may follow the
   * body.
   */
  static long length(HttpClientResponse from) {
    String stated = from.getHeader(HttpHeaders.CONTENT_LENGTH);
    if (stated == null || from.version() == HttpVersion.HTTP_2) {
      return -1;
    }
    try {
      return Long.parseLong(stated);
    } catch (NumberFormatException e) {
      return -1;
    }
  }

  /** Copies the trailers, where the client can receive them. */
  static void copyTrailers(HttpClientResponse from, HttpServerRequest request) {
    boolean welcome = request.version() == HttpVersion.HTTP_2 || request.response().isChunked();
    if (!welcome || from.trailers().isEmpty()) {
      return;
    }
    for (var trailer : from.trailers()) {
      if (HeaderNames.isTrailer(trailer.getKey())) {
        request.response().trailers().add(trailer.getKey(), trailer.getValue());
      }
    }
  }
}
