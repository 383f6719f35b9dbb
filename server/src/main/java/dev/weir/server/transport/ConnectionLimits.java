package dev.weir.server.transport;

/**
 * How many connections a listener keeps.
 *
 * @param total of all clients
 * @param perPeer of one address, or of one /64 network of IPv6
 */
public record ConnectionLimits(int total, int perPeer) {
  /** Where the process may open enough files. */
  static final int DEFAULT_TOTAL = 10_000;

  /** For ports that operators alone use. */
  public static final ConnectionLimits FOR_OPERATORS = of(64);

  /** Kept for the store, files, operators and whatever else a process opens. */
  static final int RESERVED = 192;

  private static final int MIN_TOTAL = 16;

  /** What a connection takes that keeps answers and half a request, but not yet too much. */
  private static final int BYTES_PER_CONNECTION = 32 << 10;

  private static final int PART_OF_HEAP = 2;

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

  /** So many in all, of which one peer has three quarters at most: somebody else gets in. */
  public static ConnectionLimits of(int total) {
    return new ConnectionLimits(total, Math.max(1, total - total / 4));
  }

  /**
   * As many as the process may open files for and has memory for, with {@code listeners} that have
   * as many each.
   */
  public static ConnectionLimits byOpenFiles(int listeners) {
    int affordable = Math.min(affordable(listeners), inMemory(listeners));
    return of(Math.min(DEFAULT_TOTAL, Math.max(MIN_TOTAL, affordable)));
  }

  static int inMemory(int listeners) {
    long part = Runtime.getRuntime().maxMemory() / PART_OF_HEAP / listeners;
    return (int) Math.min(Integer.MAX_VALUE, part / BYTES_PER_CONNECTION);
  }

  /** The most that each of so many listeners can have. */
  public static int affordable(int listeners) {
    long free = FileDescriptors.max() - FileDescriptors.open() - RESERVED;
    return (int) Math.min(Integer.MAX_VALUE, Math.max(0, free / listeners));
  }
}
