package dev.weir.server.listen;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.WriteBufferWaterMark;
import io.netty.channel.embedded.EmbeddedChannel;
import org.junit.jupiter.api.Test;

class FlushBatchingHandlerTest {
  /** Writes frames in two parts, and a pending one as soon as there is room, as HTTP/2 does. */
  private static final class TwoParts extends ChannelInboundHandlerAdapter {
    private boolean waits = true;

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
      write(context, "first-");
      context.flush();
      write(context, "head-");
      write(context, "body-");
      context.flush();
    }

    @Override
    public void channelWritabilityChanged(ChannelHandlerContext context) {
      if (context.channel().isWritable() && waits) {
        waits = false;
        write(context, "waited-");
        context.flush();
      }
    }

    private static void write(ChannelHandlerContext context, String text) {
      var unused = context.write(Unpooled.copiedBuffer(text, US_ASCII));
    }
  }

  private final EmbeddedChannel channel = new EmbeddedChannel();

  @Test
  void framesStayIntactWhenAWriteFillsTheChannel() {
    // Each write counts for its bytes and about a hundred more: the second makes the channel full.
    channel.config().setWriteBufferWaterMark(new WriteBufferWaterMark(1, 150));
    channel.pipeline().addLast(new FlushBatchingHandler()).addLast(new TwoParts());

    channel.writeInbound("request");

    assertThat(sent()).isEqualTo("first-head-body-waited-");
  }

  @Test
  void responsesToRequestsReadTogetherAreFlushedTogether() {
    channel.pipeline().addLast(new FlushBatchingHandler()).addLast(new TwoParts());

    channel.pipeline().fireChannelRead("request").fireChannelRead("request");
    assertThat(sent()).isEmpty();

    channel.pipeline().fireChannelReadComplete();
    assertThat(sent()).isEqualTo("first-head-body-first-head-body-");
  }

  @Test
  void flushOutsideOfAReadHappensSoon() {
    channel.pipeline().addLast(new FlushBatchingHandler());

    var unused = channel.writeAndFlush(Unpooled.copiedBuffer("alone", US_ASCII));
    channel.runPendingTasks();

    assertThat(sent()).isEqualTo("alone");
  }

  private String sent() {
    StringBuilder sent = new StringBuilder();
    for (ByteBuf part = channel.readOutbound(); part != null; part = channel.readOutbound()) {
      sent.append(part.toString(US_ASCII));
      part.release();
    }
    return sent.toString();
  }
}
