package dev.weir.server.transport;

import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelOutboundBuffer;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** One connection: whose it is, when it last said something, and that it takes its answers. */
final class Connection extends ChannelInboundHandlerAdapter {
  /** Whoever asks for more while so much is not taken gets nothing any more. */
  private static final long MAX_UNREAD_BYTES = 256 << 10;

  final Channel channel;
  final @Nullable Peer peer;
  private final Consumer<Throwable> onError;
  private volatile long lastReadNanos = System.nanoTime();

  Connection(Channel channel, @Nullable Peer peer, Consumer<Throwable> onError) {
    this.channel = channel;
    this.peer = peer;
    this.onError = onError;
  }

  long idleNanos(long now) {
    return now - lastReadNanos;
  }

  @Override
  public void channelRead(ChannelHandlerContext context, Object bytes) {
    lastReadNanos = System.nanoTime();
    context.fireChannelRead(bytes);
    if (!channel.isWritable()) {
      closeIfAnswersPileUp();
    }
  }

  void close() {
    var unused = channel.close();
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
