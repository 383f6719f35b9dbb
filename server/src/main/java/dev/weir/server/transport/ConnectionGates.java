package dev.weir.server.transport;

import io.netty.channel.ChannelHandler;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

/** The bounds of all listeners, by the port for which they were asked to listen. */
public final class ConnectionGates {
  private final Map<Integer, ConnectionGate> byPort = new ConcurrentHashMap<>();
  private final Consumer<Throwable> onError;

  /**
   * @param onError hears of errors after which the process cannot be relied on
   */
  public ConnectionGates(Consumer<Throwable> onError) {
    this.onError = onError;
  }

  /** Bounds a listener that is about to begin. */
  public void limit(int port, String listener, ConnectionLimits limits) {
    byPort.put(port, new ConnectionGate(listener, limits, onError));
  }

  /** What stands before a listener; one that nobody has bounded is for operators. */
  public ChannelHandler gate(int port) {
    return byPort.computeIfAbsent(
        port,
        unknown -> new ConnectionGate("port " + port, ConnectionLimits.FOR_OPERATORS, onError));
  }

  /** Connections that are open. */
  public int open() {
    return byPort.values().stream().mapToInt(ConnectionGate::size).sum();
  }

  /** Connections that were turned away, for there was no room. */
  public long refused() {
    return byPort.values().stream().mapToLong(ConnectionGate::refused).sum();
  }

  /** Connections that were closed to make room. */
  public long evicted() {
    return byPort.values().stream().mapToLong(ConnectionGate::evicted).sum();
  }
}
