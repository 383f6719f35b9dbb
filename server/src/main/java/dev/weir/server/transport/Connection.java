package dev.weir.server.transport;

import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelOutboundBuffer;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** One connection: whose it is, when it last said something, and that it takes its answers. */
final class Connection extends ChannelInboundHandlerAdapter {
  /** Whoever asks for more while so much is not taken gets nothing any more. */
  private static final long MAX_UNREAD_BYTES = 256 << 10;

  final Channel channel;
  final @Nullable Peer peer;
  private final ByteBudget unread;
  private final Consumer<Throwable> onError;
  private final LongSupplier nanos;
  private ByteBudget.@Nullable Share share;
  private volatile long lastReadNanos;

  /**
   * @param unread for answers that are not taken, of all connections together
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
      closeIfAnswersPileUp();
    }
  }

  /** Answers begin to pile up, or no longer do. What is below that is bounded by connections. */
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
   * Ends it now. From its outer end, for HTTP/2 would first wait for streams that are open, and a
   * client can keep them open.
   */
  void close() {
    ChannelHandlerContext outermost = channel.pipeline().context(this);
    if (outermost != null) {
      var unused = outermost.close();
    }
  }

  private void closeIfAnswersPileUp() {
    ChannelOutboundBuffer answers = channel.unsafe().outboundBuffer();
    if (answers != null && answers.totalPendingWriteBytes() > MAX_UNREAD_BYTES) {
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
