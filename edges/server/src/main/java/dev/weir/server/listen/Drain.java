package dev.weir.server.listen;

import io.vertx.core.http.HttpConnection;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpVersion;
import java.time.Instant;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The draining state of a server: announces the shutdown to clients, so that they move to other
 * servers before their connections are closed. Thread-safe.
 *
 * <p>On HTTP/1 the next response says {@code Connection: close}. On HTTP/2, and so gRPC, the server
 * sends GOAWAY twice, as in RFC 9113: the first asks for no more streams, while those that come are
 * still served; the last names the last stream. A client that connects while draining gets one
 * response before its GOAWAY, so that a client without another server does not reconnect in a loop.
 */
public final class Drain {
  private static final long NO_ERROR = 0;
  private static final int LAST_CREATED = -1;

  /** Connections that have not been sent the first GOAWAY. Those of HTTP/1 never are. */
  private final Set<HttpConnection> withoutGoAway = ConcurrentHashMap.newKeySet();

  /** All connections, for the last GOAWAY. */
  private final Set<HttpConnection> open = ConcurrentHashMap.newKeySet();

  private volatile @Nullable Instant since;

  /** When draining began; null if it has not. */
  @Nullable
  public Instant since() {
    return since;
  }

  /** Whether the server is draining. */
  public boolean hasBegun() {
    return since != null;
  }

  void onConnect(HttpConnection connection) {
    open.add(connection);
    withoutGoAway.add(connection);
  }

  void onClose(HttpConnection connection) {
    open.remove(connection);
    withoutGoAway.remove(connection);
  }

  /** Begins to drain: clients are asked to leave from now on. */
  public void begin(Instant now) {
    since = now;
    for (HttpConnection connection : withoutGoAway) {
      sendFirstGoAway(connection);
    }
  }

  /** Sends the first GOAWAY to the client of a request, if the server is draining. */
  void onRequest(HttpServerRequest request) {
    if (since != null && request.version() == HttpVersion.HTTP_2) {
      sendFirstGoAway(request.connection());
    }
  }

  private void sendFirstGoAway(HttpConnection connection) {
    if (withoutGoAway.remove(connection)) {
      sendGoAway(connection, Integer.MAX_VALUE);
    }
  }

  /** Sends the last GOAWAY: streams that come later are not served, and their clients know. */
  void end() {
    open.forEach(connection -> sendGoAway(connection, LAST_CREATED));
  }

  private static void sendGoAway(HttpConnection connection, int lastStream) {
    try {
      connection.goAway(NO_ERROR, lastStream);
    } catch (UnsupportedOperationException e) {
      // HTTP/1 has no GOAWAY; its responses say Connection: close.
    }
  }
}
