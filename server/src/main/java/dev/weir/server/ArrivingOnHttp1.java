package dev.weir.server;

import dev.weir.server.transport.ByteBudget;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
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
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.handler.ssl.SslHandler;
import io.netty.util.ReferenceCountUtil;
import java.nio.charset.StandardCharsets;

/**
 * The request that is arriving on a connection of HTTP/1.
 *
 * <p>Vert.x hears of a request when its headers are whole. So this stands on both sides of its
 * decoder: what comes in before it are bytes, what comes out are requests. A connection that turns
 * out to be HTTP/2 is left alone; there only bodies can be slow, which {@link Bodies} minds.
 */
final class ArrivingOnHttp1 extends ChannelInboundHandlerAdapter implements Arrivals.Arriving {
  /** Requests behind each other whose answers wait for the client to take them. */
  private static final int MAX_UNANSWERED = 128;

  /** So much is read at a time, lest a part of a head that is too much is decoded with the rest. */
  private static final int PART = 4 << 10;

  private final Arrivals arrivals;
  private final Drain drain;
  private final UnfinishedHead head;
  private final MisreadNames misread = new MisreadNames();
  private ChannelHandlerContext context;
  private volatile long sinceNanos;
  private boolean placed;

  /** Whether nothing more is read, for the connection is about to be closed. */
  private boolean over;

  /** Whether the headers are there and the body is not. All that follow are of the event loop. */
  private boolean inBody;

  /** How much of a body was in the part that is being read. */
  private int contentBytes;

  private long asked;
  private long answered;

  @SuppressWarnings("NullAway.Init") // the context comes with the place in a pipeline
  private ArrivingOnHttp1(Arrivals arrivals, Drain drain, ByteBudget budget) {
    this.arrivals = arrivals;
    this.drain = drain;
    this.head = new UnfinishedHead(budget);
  }

  @Override
  public void handlerAdded(ChannelHandlerContext added) {
    context = added;
  }

  /** For the pipeline of a new connection: watches it from its first byte on, or within TLS. */
  static ChannelInboundHandlerAdapter first(Arrivals arrivals, Drain drain, ByteBudget budget) {
    return new ChannelInboundHandlerAdapter() {
      @Override
      public void channelRead(ChannelHandlerContext context, Object bytes) {
        ChannelPipeline pipeline = context.pipeline();
        ChannelHandlerContext tls = pipeline.context(SslHandler.class);
        String before = tls == null ? context.name() : tls.name();
        pipeline.addAfter(before, null, new ArrivingOnHttp1(arrivals, drain, budget));
        pipeline.remove(this);
        context.fireChannelRead(bytes);
      }
    };
  }

  @Override
  public void channelRead(ChannelHandlerContext here, Object bytes) {
    if (asked - answered > MAX_UNANSWERED && !here.channel().isWritable()) {
      ReferenceCountUtil.release(bytes);
      var unused = here.close(); // it asks on and on, and takes no answers
      return;
    }
    if (!placed) {
      placed = true;
      place(here.pipeline());
      arrivals.watch(this);
    }
    if (bytes instanceof ByteBuf buffer) {
      readInParts(here, buffer);
    } else {
      here.fireChannelRead(bytes);
    }
  }

  private void readInParts(ChannelHandlerContext here, ByteBuf bytes) {
    while (bytes.readableBytes() > PART && !over) {
      read(here, bytes.readRetainedSlice(PART));
    }
    if (over) {
      bytes.release();
    } else {
      read(here, bytes);
    }
  }

  private void read(ChannelHandlerContext here, ByteBuf part) {
    if (sinceNanos == 0) {
      sinceNanos = Arrivals.nanos();
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
      } else if (!here.isRemoved() && !over) {
        head.look(part, start, end);
        head.ignore(contentBytes);
        bound();
      }
    } finally {
      misread.end();
      part.release();
    }
  }

  private void refuseMisread() {
    over = true;
    end(400, "a header is named almost like Content-Length or Content-Type");
  }

  /** Ends the connection if too much of a head is there that is not whole. */
  private void bound() {
    // Behind a whole request in chunks we cannot know what is body, and what the next head.
    boolean known = sinceNanos != 0;
    if (!head.isEmpty() && misread.isFound()) {
      refuseMisread();
    } else if (known && head.hasTooManyLines()) {
      over = true;
      end(431, HeaderWeight.expected());
    } else if (!head.isCharged() && (known || head.hasTooManyLines())) {
      over = true;
      end(503, "too many requests arrive at once; nothing was counted");
    }
  }

  /** Within TLS the decoder is there by now; else its place is before those that are. */
  private void place(ChannelPipeline pipeline) {
    if (pipeline.get("httpDecoder") == null) {
      pipeline.addAfter("idle", null, new Decoded());
    } else {
      pipeline.addBefore("handler", null, new Decoded());
    }
  }

  @Override
  public void handlerRemoved(ChannelHandlerContext removed) {
    arrivals.forget(this);
    head.clear();
  }

  @Override
  public long sinceNanos() {
    return sinceNanos;
  }

  @Override
  public void cut(long since) {
    context.executor().execute(() -> cutNow(since));
  }

  private void cutNow(long since) {
    if (sinceNanos != since) {
      return; // it has come after all
    }
    end(408, "the request took too long to arrive");
  }

  private void end(int status, String detail) {
    sinceNanos = 0;
    // An answer that nobody waits for would be taken for that to another request.
    boolean awaited = asked - answered == (inBody ? 1 : 0);
    var unused =
        awaited
            ? context.writeAndFlush(answer(status, detail)).addListener(ChannelFutureListener.CLOSE)
            : context.close();
  }

  private static ByteBuf answer(int status, String detail) {
    String body = Replies.problem(status, detail).encode();
    String answer =
        "HTTP/1.1 "
            + HttpResponseStatus.valueOf(status)
            + "\r\nConnection: close\r\nCache-Control: no-store\r\n"
            + "Content-Type: application/problem+json\r\nContent-Length: "
            + body.length()
            + "\r\n\r\n"
            + body;
    return Unpooled.copiedBuffer(answer, StandardCharsets.US_ASCII);
  }

  /**
   * Behind the decoder: sees requests come in and answers go out.
   *
   * <p>Once the server drains, the request that came last by then is the last one here. Those
   * before it, which a client may have sent without waiting, are answered first: they are charged,
   * and nobody would know. Its answer says that the connection is closed, and so whoever sent more
   * knows that the rest is not answered, and it is not charged either.
   */
  private final class Decoded extends ChannelDuplexHandler {
    private static final long NONE = -1;

    /** Which request is the last one, counted like {@link #asked}. */
    private long last = NONE;

    /** Whether what comes in belongs to a request behind the last one. */
    private boolean behind;

    @Override
    public void channelRead(ChannelHandlerContext here, Object message) {
      behind |= message instanceof HttpRequest && asked == last;
      if (message instanceof HttpRequest request && isMisread(request)) {
        refuseMisread();
      }
      if (over || behind || isAnswered()) {
        sinceNanos = 0; // it may come as slowly as it likes
        ReferenceCountUtil.release(message);
        return;
      }
      if (message instanceof HttpRequest request) {
        asked++;
        inBody = true;
        RefusedHeads.refuseOtherVersions(request);
        if (head.mayHaveManyFields(misread.partBytes())) {
          RefusedHeads.refuseManyFields(request);
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
        here.pipeline().remove(ArrivingOnHttp1.this);
        here.pipeline().remove(this);
      }
      here.fireChannelRead(message);
    }

    /** Only a request that seems to have one of the two can have had another. */
    private boolean isMisread(HttpRequest request) {
      return (request.headers().contains(HttpHeaderNames.CONTENT_LENGTH)
              || request.headers().contains(HttpHeaderNames.CONTENT_TYPE))
          && misread.isFound();
    }

    /** Whether the last one has its answer, or the beginning of it. */
    private boolean isAnswered() {
      return answered == last;
    }

    @Override
    public void write(ChannelHandlerContext here, Object message, ChannelPromise promise) {
      if (message instanceof HttpResponse response && response.status().code() >= 200) {
        answered++;
        if (last == NONE && drain.hasBegun()) {
          last = asked;
        }
        if (isAnswered()) {
          response.headers().set(HttpHeaderNames.CONNECTION, HttpHeaderValues.CLOSE);
        }
      }
      boolean end = isAnswered() && message instanceof LastHttpContent;
      var unused =
          end
              ? here.write(message, promise.unvoid()).addListener(ChannelFutureListener.CLOSE)
              : here.write(message, promise);
    }
  }
}
