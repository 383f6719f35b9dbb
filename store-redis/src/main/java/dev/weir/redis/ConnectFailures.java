package dev.weir.redis;

import io.lettuce.core.event.Event;
import io.lettuce.core.event.connection.ConnectionActivatedEvent;
import io.lettuce.core.event.connection.ReconnectFailedEvent;
import io.lettuce.core.resource.ClientResources;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import reactor.core.Disposable;

/**
 * Why servers cannot be reached, in the words of whoever says so: of Redis about a password, of the
 * operating system about a port. A command that finds no connection only hears that there is none.
 */
final class ConnectFailures implements AutoCloseable {
  private static final int MAX_SERVERS = 1_000;

  private final Map<String, String> reasons = new ConcurrentHashMap<>();
  private final Disposable events;
  private volatile @Nullable String last;

  ConnectFailures(ClientResources resources) {
    events = resources.eventBus().get().subscribe(this::onEvent);
  }

  private void onEvent(Event event) {
    if (event instanceof ReconnectFailedEvent failed) {
      String reason = Connector.reason(failed.getCause());
      // Lettuce now and then tells that a connection was closed, where Redis first said why.
      if (last == null || !Connector.isVague(reason)) {
        last = reason;
        if (reasons.size() < MAX_SERVERS) {
          reasons.put(name(failed.remoteAddress()), reason);
        }
      }
    } else if (event instanceof ConnectionActivatedEvent connected) {
      last = null;
      reasons.remove(name(connected.remoteAddress()));
    }
  }

  private static String name(SocketAddress address) {
    return address instanceof InetSocketAddress internet
        ? internet.getHostString() + ":" + internet.getPort()
        : String.valueOf(address);
  }

  /** Of the attempt that failed last; null if none did since there was a connection. */
  @Nullable String last() {
    return last;
  }

  /** Of a server, such as {@code 10.0.0.1:6379}; null if it is not known. */
  @Nullable String of(String address) {
    return reasons.get(address);
  }

  @Override
  public void close() {
    events.dispose();
  }
}
