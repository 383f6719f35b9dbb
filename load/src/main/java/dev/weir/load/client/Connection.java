package dev.weir.load.client;

import dev.weir.load.engine.Exchange;
import dev.weir.load.measure.Outcome;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpObject;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpStatusClass;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.LastHttpContent;
import org.jspecify.annotations.Nullable;

/** One connection: sends a request, reads its answer, and is idle again. */
final class Connection extends SimpleChannelInboundHandler<HttpObject> {
  private final HttpTransport transport;
  private @Nullable ChannelHandlerContext context;
  private @Nullable Exchange exchange;
  private int status;
  private boolean retryAfter;
  private boolean keepAlive;

  Connection(HttpTransport transport) {
    this.transport = transport;
  }

  @Override
  public void handlerAdded(ChannelHandlerContext added) {
    context = added;
  }

  boolean isOpen() {
    return context != null && context.channel().isActive();
  }

  boolean isHead() {
    return exchange != null && exchange.request().isHead();
  }

  void send(Exchange next) {
    exchange = next;
    next.attach(this);
    ChannelHandlerContext channel = context;
    if (channel != null) {
      var unused =
          channel.writeAndFlush(
              Unpooled.wrappedBuffer(next.request().bytes()), channel.channel().voidPromise());
    }
  }

  /** Closes the connection without reporting anything. */
  void abandon() {
    exchange = null;
    close();
  }

  private void close() {
    if (context != null) {
      var unused = context.close();
    }
  }

  @Override
  protected void channelRead0(ChannelHandlerContext channel, HttpObject part) {
    if (exchange == null || part.decoderResult().isFailure()) {
      fail(Outcome.MALFORMED);
      return;
    }
    if (part instanceof HttpResponse response) {
      status = response.status().code();
      retryAfter = response.headers().contains(HttpHeaderNames.RETRY_AFTER);
      keepAlive = HttpUtil.isKeepAlive(response);
    }
    if (part instanceof LastHttpContent && !isInterim()) {
      complete(exchange);
    }
  }

  /** Whether another response follows, as after {@code 103 Early Hints}. */
  private boolean isInterim() {
    return HttpStatusClass.valueOf(status) == HttpStatusClass.INFORMATIONAL;
  }

  private void complete(Exchange answered) {
    exchange = null;
    if (keepAlive) {
      transport.onIdle(this);
    } else {
      close();
    }
    answered.onAnswer(status, retryAfter);
  }

  private void fail(Outcome outcome) {
    Exchange failed = exchange;
    exchange = null;
    close();
    if (failed != null) {
      failed.onFailure(outcome);
    }
  }

  @Override
  public void channelInactive(ChannelHandlerContext channel) {
    fail(Outcome.DISCONNECTED);
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext channel, Throwable cause) {
    fail(Outcome.DISCONNECTED);
  }
}
