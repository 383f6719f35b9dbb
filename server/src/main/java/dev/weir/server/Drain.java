package dev.weir.server;

import io.vertx.core.http.HttpConnection;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpVersion;
import java.time.Instant;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Whether the server is about to stop, and what its clients are told of it, so that they go
 * elsewhere before their connections are closed.
 *
 * <p>HTTP/1 says {@code Connection: close} on the next answer. HTTP/2, and so gRPC, says GOAWAY
 * twice, as RFC 9113 has it: first that no more streams should come, while those that do are served
 * all the same; in the end, which was the last. Whoever connects meanwhile gets one answer before
 * that, lest a client with nowhere else to go connects again and again.
 */
final class Drain {
  private static final long NO_ERROR = 0;
  private static final int LAST_CREATED = -1;

  /** Connections whose client was not asked yet. Those of HTTP/1 need not be. */
  private final Set<HttpConnection> unasked = ConcurrentHashMap.newKeySet();

  /** All connections, for the end. */
  private final Set<HttpConnection> open = ConcurrentHashMap.newKeySet();

  private volatile @Nullable Instant since;

  /** Since when it is about to stop; null if it is not. */
  @Nullable Instant since() {
    return since;
  }

  boolean hasBegun() {
    return since != null;
  }

  void connected(HttpConnection connection) {
    open.add(connection);
    unasked.add(connection);
  }

  void closed(HttpConnection connection) {
    open.remove(connection);
    unasked.remove(connection);
  }

  /** From now on clients are asked to go elsewhere. */
  void begin(Instant now) {
    since = now;
    for (HttpConnection connection : unasked) {
      askToLeave(connection);
    }
  }

  /** Notes a request; if the server is about to stop, its client hears of it. */
  void requested(HttpServerRequest request) {
    if (since != null && request.version() == HttpVersion.HTTP_2) {
      askToLeave(request.connection());
    }
  }

  private void askToLeave(HttpConnection connection) {
    if (unasked.remove(connection)) {
      goAway(connection, Integer.MAX_VALUE);
    }
  }

  /** Streams that come from now on are not served, and their clients know. */
  void end() {
    open.forEach(connection -> goAway(connection, LAST_CREATED));
  }

  private static void goAway(HttpConnection connection, int lastStream) {
    try {
      connection.goAway(NO_ERROR, lastStream);
    } catch (UnsupportedOperationException e) {
      // It is HTTP/1, whose answers say it.
    }
  }
}
