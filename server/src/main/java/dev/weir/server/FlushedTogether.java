package dev.weir.server;

import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.flush.FlushConsolidationHandler;

/**
 * Sends answers together that come together.
 *
 * <p>Netty's own handler for it also flushes as soon as a write makes the channel full. That is in
 * the middle of the write: the channel may have room again before it returns, whereupon HTTP/2
 * writes frames that waited for room between the two parts of the frame that filled it, and the
 * client cannot read the connection any more. Here a full channel waits for the flush that is under
 * way anyhow: at the end of what is being read, or after so many answers.
 */
final class FlushedTogether extends FlushConsolidationHandler {
  /** Answers that are sent together at most. */
  private static final int MAX_ANSWERS = 256;

  FlushedTogether() {
    super(MAX_ANSWERS, true);
  }

  @Override
  public void channelWritabilityChanged(ChannelHandlerContext context) {
    context.fireChannelWritabilityChanged();
  }
}
