package dev.weir.server.listen;

import dev.weir.server.transport.ByteBudget;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelPipeline;
import io.netty.channel.ChannelPromise;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.handler.ssl.SslHandler;
import io.netty.util.ReferenceCountUtil;

/**
 * Watches the request that is arriving on an HTTP/1 connection: bounds its time, and the size of a
 * head that is incomplete.
 *
 * <p>Vert.x sees a request only when its headers are complete. So this handler sits on both sides
 * of the HTTP decoder: bytes go in before it, requests come out behind it. It removes itself from a
 * connection that turns out to be HTTP/2; there only bodies can be slow, which {@link
 * RequestBodies} bounds. All fields but {@code sinceNanos} belong to the event loop.
 *
 * <p>Longer than 300 lines, because both sides of the decoder share nearly all of its state.
 */
final class Http1RequestGuard extends ChannelInboundHandlerAdapter
    implements SlowRequestGuard.RequestSource {
  /** The maximum number of pipelined requests whose responses the client has not read. */
  private static final int MAX_UNANSWERED = 128;

  /**
   * The decoder gets so many bytes at a time, so that it never decodes all of an oversized head.
   */
  private static final int PART = 4 << 10;

  private final SlowRequestGuard guard;
  private final Drain drain;
  private final PartialHead head;
  private final MisreadNames misread = new MisreadNames();
  private ChannelHandlerContext context;
  private volatile long sinceNanos;
  private boolean installed;

  /** Whether the connection is about to be closed, and nothing more is read. */
  private boolean closing;

  /** Whether the headers are complete and the body is not. */
  private boolean inBody;

  /** Whether an edge streams the bodies of this connection, and bounds their time itself. */
  private boolean streamsBodies;

  /** How many bytes of a body were in the part that is being read. */
  private int contentBytes;

  private long requests;
  private long responses;

  @SuppressWarnings("NullAway.Init") // the context is set when the handler is added
  private Http1RequestGuard(SlowRequestGuard guard, Drain drain, ByteBudget budget) {
    this.guard = guard;
    this.drain = drain;
    this.head = new PartialHead(budget);
  }

  @Override
  public void handlerAdded(ChannelHandlerContext added) {
    context = added;
  }

  /**
   * A handler for a new connection that installs the guard at its first byte, inside TLS if any.
   */
  static ChannelInboundHandlerAdapter installer(
      SlowRequestGuard guard, Drain drain, ByteBudget budget) {
    return new ChannelInboundHandlerAdapter() {
      @Override
      public void channelRead(ChannelHandlerContext context, Object bytes) {
        ChannelPipeline pipeline = context.pipeline();
        ChannelHandlerContext tls = pipeline.context(SslHandler.class);
        String before = tls == null ? context.name() : tls.name();
        pipeline.addAfter(before, null, new Http1RequestGuard(guard, drain, budget));
        pipeline.remove(this);
        context.fireChannelRead(bytes);
      }
    };
  }

  @Override
  public void channelRead(ChannelHandlerContext here, Object bytes) {
    if (requests - responses > MAX_UNANSWERED && !here.channel().isWritable()) {
      ReferenceCountUtil.release(bytes);
      var unused = here.close(); // the client keeps sending and reads no responses
      return;
    }
    if (!installed) {
      installed = true;
      addDecodedHandler(here.pipeline());
      guard.watch(this);
    }
    if (bytes instanceof ByteBuf buffer) {
      readInParts(here, buffer);
    } else {
      here.fireChannelRead(bytes);
    }
  }

  private void readInParts(ChannelHandlerContext here, ByteBuf bytes) {
    while (bytes.readableBytes() > PART && !closing) {
      read(here, bytes.readRetainedSlice(PART));
    }
    if (closing) {
      bytes.release();
    } else {
      read(here, bytes);
    }
  }

  private void read(ChannelHandlerContext here, ByteBuf part) {
    if (sinceNanos == 0 && !(streamsBodies && inBody)) {
      sinceNanos = SlowRequestGuard.nowNanos();
    }
    int start = part.readerIndex();
    int end = part.writerIndex();
    misread.begin(part, inBody || head.isEmpty());
    contentBytes = 0;
    part.retain();
    try {
      here.fireChannelRead(part);
      if (inBody) {
        head.clear();
      } else if (!here.isRemoved() && !closing) {
        head.add(part, start, end);
        head.dropBody(contentBytes);
        closeIfTooLarge();
      }
    } finally {
      misread.end();
      part.release();
    }
  }

  private void refuseMisread() {
    closing = true;
    end(400, "a header is named almost like Content-Length or Content-Type");
  }

  /** Closes the connection if an incomplete head is too large. */
  private void closeIfTooLarge() {
    // After a complete chunked request, body and next head cannot be distinguished.
    boolean inHead = sinceNanos != 0;
    if (!head.isEmpty() && misread.isFound()) {
      refuseMisread();
    } else if (inHead && head.hasTooManyLines()) {
      closing = true;
      end(431, HeaderSize.tooLargeMessage());
    } else if (!head.charge() && (inHead || head.hasTooManyLines())) {
      closing = true;
      end(503, "too many requests arrive at once; nothing was counted");
    }
  }

  /** Inside TLS the decoder is in the pipeline by now; otherwise Vert.x adds it before these. */
  private void addDecodedHandler(ChannelPipeline pipeline) {
    if (pipeline.get("httpDecoder") == null) {
      pipeline.addAfter("idle", null, new Decoded());
    } else {
      pipeline.addBefore("handler", null, new Decoded());
    }
  }

  @Override
  public void handlerRemoved(ChannelHandlerContext removed) {
    guard.unwatch(this);
    head.clear();
  }

  /** Leaves the time of bodies to the edge, from the one that is arriving on. */
  private void streamBodies() {
    streamsBodies = true;
    sinceNanos = inBody ? 0 : sinceNanos;
  }

  /**
   * Leaves the time in which bodies arrive to an edge that streams them. Heads stay bounded. Call
   * it on the event loop of the connection.
   */
  static void streamBodies(ChannelPipeline pipeline) {
    Http1RequestGuard guard = pipeline.get(Http1RequestGuard.class);
    if (guard != null && !guard.streamsBodies) {
      guard.streamBodies();
    }
  }

  @Override
  public long sinceNanos() {
    return sinceNanos;
  }

  @Override
  public void cutOff(long since) {
    context.executor().execute(() -> cutNow(since));
  }

  private void cutNow(long since) {
    if (sinceNanos != since) {
      return; // the request is complete after all
    }
    end(408, "the request took too long to arrive");
  }

  private void end(int status, String detail) {
    sinceNanos = 0;
    // The client would take an unexpected response for that to another request.
    boolean expected = requests - responses == (inBody ? 1 : 0);
    var unused =
        expected
            ? context
                .writeAndFlush(RawResponse.problem(status, detail))
                .addListener(ChannelFutureListener.CLOSE)
            : context.close();
  }

  /**
   * The part behind the decoder: sees requests come in and responses go out.
   *
   * <p>The last request of a connection is one that asks to close it, or, once the server drains,
   * the latest request that has arrived. Pipelined requests before it are answered first: they are
   * charged, and the client would not know otherwise. The last response says that the connection is
   * closed, so the client knows that later requests are not answered; they are not charged either.
   */
  private final class Decoded extends ChannelDuplexHandler {
    private static final long NONE = -1;

    /** The number of the last request, counted like {@link #requests}. */
    private long lastRequest = NONE;

    /** Whether incoming messages belong to a request after the last one. */
    private boolean afterLast;

    @Override
    public void channelRead(ChannelHandlerContext here, Object message) {
      afterLast |= message instanceof HttpRequest && requests == lastRequest;
      if (message instanceof HttpRequest request && isMisread(request)) {
        refuseMisread();
      }
      if (closing || afterLast || isAnswered()) {
        sinceNanos = 0; // its arrival is not bounded any more
        ReferenceCountUtil.release(message);
        return;
      }
      if (message instanceof HttpRequest request) {
        requests++;
        inBody = true;
        if (lastRequest == NONE && !HttpUtil.isKeepAlive(request)) {
          lastRequest = requests; // Vert.x overlooks close among other options
        }
        sinceNanos = streamsBodies ? 0 : sinceNanos;
        RejectedHeads.refuseOtherVersions(request);
        if (head.mayHaveManyFields(misread.partBytes())) {
          RejectedHeads.refuseManyFields(request);
        }
      }
      if (message instanceof HttpContent content) {
        contentBytes += content.content().readableBytes();
      }
      if (message instanceof LastHttpContent) {
        inBody = false;
        sinceNanos = 0;
      }
      if (message instanceof ByteBuf) {
        sinceNanos = 0;
        here.pipeline().remove(Http1RequestGuard.this);
        here.pipeline().remove(this);
      }
      here.fireChannelRead(message);
    }

    /** Only a request that seems to have one of these headers can have a misread one. */
    private boolean isMisread(HttpRequest request) {
      return (request.headers().contains(HttpHeaderNames.CONTENT_LENGTH)
              || request.headers().contains(HttpHeaderNames.CONTENT_TYPE))
          && misread.isFound();
    }

    /** Whether the response to the last request has begun. */
    private boolean isAnswered() {
      return responses == lastRequest;
    }

    @Override
    public void write(ChannelHandlerContext here, Object message, ChannelPromise promise) {
      if (message instanceof HttpResponse response && response.status().code() >= 200) {
        responses++;
        if (lastRequest == NONE && drain.hasBegun()) {
          lastRequest = requests;
        }
        if (isAnswered()) {
          response.headers().set(HttpHeaderNames.CONNECTION, HttpHeaderValues.CLOSE);
        }
      }
      boolean ends = isAnswered() && message instanceof LastHttpContent;
      var unused =
          ends
              ? here.write(message, promise.unvoid()).addListener(ChannelFutureListener.CLOSE)
              : here.write(message, promise);
    }
  }
}
