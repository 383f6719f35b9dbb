package dev.weir.server.transport;

import io.netty.channel.ChannelHandler;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

/** The connection gates of all listeners, by configured port. Thread-safe. */
public final class ConnectionGates {
  private final Map<Integer, ConnectionGate> byPort = new ConcurrentHashMap<>();
  private final Consumer<Throwable> onError;

  /**
   * Begins without listeners.
   *
   * @param onError gets errors after which the process cannot be relied on
   */
  public ConnectionGates(Consumer<Throwable> onError) {
    this.onError = onError;
  }

  /** Sets the limits of a listener before it starts. */
  public void limit(int port, String listener, ConnectionLimits limits) {
    byPort.put(port, new ConnectionGate(listener, limits, onError));
  }

  /** The gate of a listener; one without limits gets those for operators. */
  public ChannelHandler gate(int port) {
    return byPort.computeIfAbsent(
        port,
        unknown -> new ConnectionGate("port " + port, ConnectionLimits.FOR_OPERATORS, onError));
  }

  /** The number of open connections. */
  public int open() {
    return byPort.values().stream().mapToInt(ConnectionGate::size).sum();
  }

  /** The number of connections rejected because there was no room. */
  public long refused() {
    return byPort.values().stream().mapToLong(ConnectionGate::refused).sum();
  }

  /** The number of connections closed to make room. */
  public long evicted() {
    return byPort.values().stream().mapToLong(ConnectionGate::evicted).sum();
  }
}
