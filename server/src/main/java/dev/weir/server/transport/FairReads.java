package dev.weir.server.transport;

import io.netty.channel.DefaultMaxMessagesRecvByteBufAllocator;
import java.util.function.IntSupplier;

/**
 * How much is read of a connection before it is the turn of the others on its event loop.
 *
 * <p>So much of all of them together, that a newcomer is heard soon though a client sends as fast
 * as it can on as many connections as it may have.
 */
final class FairReads extends DefaultMaxMessagesRecvByteBufAllocator {
  private static final int BYTES_OF_ALL = 256 << 10;
  private static final int MIN_BYTES = 1 << 10;
  private static final int MAX_BYTES = 16 << 10;

  private final IntSupplier connections;

  /**
   * @param connections how many there are
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
