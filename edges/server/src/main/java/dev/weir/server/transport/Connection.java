package dev.weir.server.transport;

import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelOutboundBuffer;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * One connection: its peer, its last activity, and the bound on responses that the client does not
 * read.
 */
final class Connection extends ChannelInboundHandlerAdapter {
  /** A client that sends more requests while so many response bytes are unread is disconnected. */
  private static final long MAX_UNREAD_BYTES = 256 << 10;

  final Channel channel;
  final @Nullable Peer peer;
  private final ByteBudget unread;
  private final Consumer<Throwable> onError;
  private final LongSupplier nanos;
  private ByteBudget.@Nullable Share share;
  private volatile long lastReadNanos;

  /**
   * Begins with the current time as the last activity.
   *
   * @param unread the budget of all connections for unread responses
   * @param onError gets errors after which the process cannot be relied on
   */
  Connection(
      Channel channel,
      @Nullable Peer peer,
      ByteBudget unread,
      Consumer<Throwable> onError,
      LongSupplier nanos) {
    this.channel = channel;
    this.peer = peer;
    this.unread = unread;
    this.onError = onError;
    this.nanos = nanos;
    this.lastReadNanos = nanos.getAsLong();
  }

  long idleNanos(long now) {
    return now - lastReadNanos;
  }

  @Override
  public void channelRead(ChannelHandlerContext context, Object bytes) {
    lastReadNanos = nanos.getAsLong();
    context.fireChannelRead(bytes);
    if (!channel.isWritable()) {
      closeIfResponsesPileUp();
    }
  }

  /** Charges unread responses to the budget; less than that is bounded by the connection limits. */
  @Override
  public void channelWritabilityChanged(ChannelHandlerContext context) {
    if (channel.isWritable()) {
      release();
    } else if (share == null) {
      share = unread.share();
      if (!share.grow((int) MAX_UNREAD_BYTES)) {
        close();
      }
    }
    context.fireChannelWritabilityChanged();
  }

  @Override
  public void handlerRemoved(ChannelHandlerContext context) {
    release();
  }

  private void release() {
    if (share != null) {
      share.end();
      share = null;
    }
  }

  /**
   * Closes the connection now. It closes from the head of the pipeline, because HTTP/2 would first
   * wait for open streams, and a client can keep them open.
   */
  void close() {
    ChannelHandlerContext head = channel.pipeline().context(this);
    if (head != null) {
      var unused = head.close();
    }
  }

  private void closeIfResponsesPileUp() {
    ChannelOutboundBuffer pending = channel.unsafe().outboundBuffer();
    if (pending != null && pending.totalPendingWriteBytes() > MAX_UNREAD_BYTES) {
      close();
    }
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
    if (cause instanceof Error) {
      onError.accept(cause);
    }
    context.fireExceptionCaught(cause);
  }
}
