package dev.weir.server.listen;

import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.flush.FlushConsolidationHandler;

/**
 * Flushes responses in batches: those to requests that were read together are sent together.
 *
 * <p>Netty's {@link FlushConsolidationHandler} also flushes when a write makes the channel
 * unwritable. That happens in the middle of the write: the channel may become writable again before
 * the write returns, HTTP/2 then writes frames that waited for room between the two parts of the
 * frame that filled the channel, and the client can no longer parse the connection. Here an
 * unwritable channel waits for the flush that is due anyway: at the end of the current read, or
 * after {@link #MAX_RESPONSES} responses.
 */
final class FlushBatchingHandler extends FlushConsolidationHandler {
  /** The maximum number of responses in a batch. */
  private static final int MAX_RESPONSES = 256;

  FlushBatchingHandler() {
    super(MAX_RESPONSES, true);
  }

  @Override
  public void channelWritabilityChanged(ChannelHandlerContext context) {
    context.fireChannelWritabilityChanged();
  }
}
