package dev.weir.gateway.upstream;

import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPromise;
import io.netty.handler.codec.http.HttpObject;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.util.ReferenceCountUtil;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.http.impl.HttpClientConnectionInternal;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Keeps responses that nobody asked for from the next request on an HTTP/1 connection.
 *
 * <p>Vert.x gives a connection to the next request as soon as a response ends, even if more has
 * come with it: that would become the response to a request which was not sent yet, of another
 * client. So the end of a response is held until all that was read with it is decoded. If there is
 * more, it is dropped, and the connection is not used again. What a server sends after it got the
 * next request looks like a response to it.
 *
 * <p>Informational responses are dropped, since nobody waits for them, and Vert.x takes most of
 * them for final ones. Confined to the event loop of the connection.
 */
final class ResponseGuard extends ChannelDuplexHandler {
  private static final int SHUTDOWN_SECONDS = 30;
  private static final int SWITCHING_PROTOCOLS = 101;
  private static final int OK = 200;

  private final HttpConnection connection;
  private boolean requested;
  private boolean dropping;
  private boolean closing;
  private @Nullable Object held;

  private ResponseGuard(HttpConnection connection) {
    this.connection = connection;
  }

  /** Guards a new connection; one of HTTP/2 needs no guard. */
  static void install(HttpConnection connection) {
    if (connection instanceof HttpClientConnectionInternal own) {
      ChannelHandlerContext context = own.channelHandlerContext();
      if (context.pipeline().get("codec") != null) {
        context.pipeline().addBefore(context.name(), null, new ResponseGuard(connection));
      }
    }
  }

  @Override
  public void write(ChannelHandlerContext context, Object message, ChannelPromise promise) {
    requested |= message instanceof HttpRequest;
    var unused = context.write(message, promise);
  }

  @Override
  public void channelRead(ChannelHandlerContext context, Object message) {
    if (!(message instanceof HttpObject part)) {
      context.fireChannelRead(message);
    } else if (closing || isDropped(part)) {
      ReferenceCountUtil.release(message);
    } else if (part instanceof LastHttpContent && requested) {
      requested = false;
      held = message;
    } else {
      context.fireChannelRead(message);
    }
  }

  /** Whether a part belongs to a response that nobody waits for. */
  private boolean isDropped(HttpObject part) {
    if (part instanceof HttpResponse response) {
      if (!requested) {
        closing = true;
        var unused =
            held == null
                ? connection.close() // perhaps given to a request that was not sent yet
                : connection.shutdown(SHUTDOWN_SECONDS, TimeUnit.SECONDS);
        return true;
      }
      int status = response.status().code();
      dropping = status < OK && status != SWITCHING_PROTOCOLS;
      return dropping;
    }
    boolean dropped = dropping;
    dropping &= !(part instanceof LastHttpContent);
    return dropped;
  }

  @Override
  public void channelReadComplete(ChannelHandlerContext context) {
    release(context);
    context.fireChannelReadComplete();
  }

  @Override
  public void channelInactive(ChannelHandlerContext context) {
    release(context);
    context.fireChannelInactive();
  }

  private void release(ChannelHandlerContext context) {
    Object last = held;
    if (last != null) {
      held = null;
      context.fireChannelRead(last);
    }
  }

  @Override
  public void handlerRemoved(ChannelHandlerContext context) {
    ReferenceCountUtil.release(held);
    held = null;
  }
}
