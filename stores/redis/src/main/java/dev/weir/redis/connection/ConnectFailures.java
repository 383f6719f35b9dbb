package dev.weir.redis.connection;

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
 * Remembers why connection attempts failed, from the events of the driver: a password that Redis
 * rejects, a port on which nothing listens. A command that finds no connection learns only that
 * there is none. Thread-safe.
 */
final class ConnectFailures implements AutoCloseable {
  private static final int MAX_NODES = 1_000;

  private final Map<String, String> reasons = new ConcurrentHashMap<>();
  private final Disposable events;
  private volatile @Nullable String last;

  ConnectFailures(ClientResources resources) {
    events = resources.eventBus().get().subscribe(this::onEvent);
  }

  private void onEvent(Event event) {
    if (event instanceof ReconnectFailedEvent failed) {
      String reason = ErrorText.reason(failed.getCause());
      // Lettuce sometimes reports a closed connection where Redis gave the reason before.
      if (last == null || !ErrorText.isVague(reason)) {
        last = reason;
        if (reasons.size() < MAX_NODES) {
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

  /** The reason of the last failed attempt; null if none failed since the last connection. */
  @Nullable String last() {
    return last;
  }

  /** The reason for an address such as {@code 10.0.0.1:6379}; null if it is not known. */
  @Nullable String of(String address) {
    return reasons.get(address);
  }

  @Override
  public void close() {
    events.dispose();
  }
}
