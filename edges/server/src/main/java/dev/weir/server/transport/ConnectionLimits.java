package dev.weir.server.transport;

/**
 * The maximum number of connections of a listener.
 *
 * @param total from all clients
 * @param perPeer from one IPv4 address or one IPv6 /64 network
 */
public record ConnectionLimits(int total, int perPeer) {
  /** The total if the process may open enough files. */
  static final int DEFAULT_TOTAL = 10_000;

  /** The limits of ports for operators. */
  public static final ConnectionLimits FOR_OPERATORS = of(64);

  /** File descriptors reserved for the store, files, operators and everything else. */
  static final int RESERVED = 192;

  private static final int MIN_TOTAL = 16;

  /** The memory of a connection with buffered responses and half a request. */
  private static final int BYTES_PER_CONNECTION = 32 << 10;

  private static final int HEAP_DIVISOR = 2;

  /**
   * Checks the limits.
   *
   * @throws IllegalArgumentException if a limit is below 1, or {@code perPeer} above {@code total}
   */
  public ConnectionLimits {
    if (total < 1) {
      throw new IllegalArgumentException(
          "connections: " + total + " (expected: between 1 and " + Integer.MAX_VALUE + ")");
    }
    if (perPeer < 1 || perPeer > total) {
      throw new IllegalArgumentException(
          "connections per peer: " + perPeer + " (expected: between 1 and " + total + ")");
    }
  }

  /** A total of which one peer may have three quarters, so that other peers can always connect. */
  public static ConnectionLimits of(int total) {
    return new ConnectionLimits(total, Math.max(1, total - total / 4));
  }

  /**
   * As many as the process has file descriptors and memory for, if each of {@code listeners} has as
   * many.
   */
  public static ConnectionLimits byOpenFiles(int listeners) {
    int affordable = Math.min(affordable(listeners), inMemory(listeners));
    return of(Math.min(DEFAULT_TOTAL, Math.max(MIN_TOTAL, affordable)));
  }

  static int inMemory(int listeners) {
    long part = Runtime.getRuntime().maxMemory() / HEAP_DIVISOR / listeners;
    return (int) Math.min(Integer.MAX_VALUE, part / BYTES_PER_CONNECTION);
  }

  /** The maximum number of connections for each of {@code listeners}, by free file descriptors. */
  public static int affordable(int listeners) {
    long free = FileDescriptors.max() - FileDescriptors.open() - RESERVED;
    return (int) Math.min(Integer.MAX_VALUE, Math.max(0, free / listeners));
  }
}
