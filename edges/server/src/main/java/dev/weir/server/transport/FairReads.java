package dev.weir.server.transport;

import io.netty.channel.DefaultMaxMessagesRecvByteBufAllocator;
import java.util.function.IntSupplier;

/**
 * Limits how much an event loop reads from one connection before it turns to the next.
 *
 * <p>All connections share one budget per turn. So a client that floods all its connections delays
 * a new connection by the time of one such budget, and not by all that the client has sent.
 */
final class FairReads extends DefaultMaxMessagesRecvByteBufAllocator {
  private static final int BYTES_OF_ALL = 256 << 10;
  private static final int MIN_BYTES = 1 << 10;
  private static final int MAX_BYTES = 16 << 10;

  private final IntSupplier connections;

  /**
   * Reads one buffer per turn from each connection.
   *
   * @param connections the current number of connections
   */
  FairReads(IntSupplier connections) {
    super(1);
    this.connections = connections;
  }

  static int bytes(int connections) {
    return Math.max(MIN_BYTES, Math.min(MAX_BYTES, BYTES_OF_ALL / Math.max(1, connections)));
  }

  @Override
  @SuppressWarnings("deprecation") // there is no other type for it
  public Handle newHandle() {
    return new MaxMessageHandle() {
      @Override
      public int guess() {
        return bytes(connections.getAsInt());
      }
    };
  }
}
