package dev.weir.server.transport;

import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http2.Http2Connection;
import io.netty.handler.codec.http2.Http2ConnectionAdapter;
import io.netty.handler.codec.http2.Http2ConnectionHandler;
import io.netty.handler.codec.http2.Http2Error;
import io.netty.handler.codec.http2.Http2Exception;
import io.netty.handler.codec.http2.Http2FrameListener;
import io.netty.handler.codec.http2.Http2FrameListenerDecorator;
import io.netty.handler.codec.http2.Http2Headers;
import io.netty.handler.codec.http2.Http2Stream;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** An HTTP/2 connection and its open streams. Confined to its event loop. */
final class TrackedConnection extends Http2ConnectionAdapter {
  /**
   * The maximum number of long-lived streams; a client that needs more opens another connection.
   */
  private static final int MAX_LONG_LIVED = 8;

  /** A connection with more open streams than this must grant flow-control window for responses. */
  private static final int MAX_WITHOUT_WINDOW = 32;

  /** Enough for a response; the default of HTTP/2 is 64 KiB. */
  private static final int MIN_WINDOW_BYTES = 1 << 10;

  /** Trailers are ignored, but some libraries send a few. */
  private static final int MAX_TRAILERS = 16;

  private static final int MAX_TRAILER_CHARS = 4 << 10;

  private final Http2ConnectionHandler handler;
  private final ChannelHandlerContext context;
  private final Http2Connection.PropertyKey key;
  private final LoopStreams loop;
  private final LongSupplier nanos;
  private int open;
  private int longLived;

  /** The memory of its streams; maintained by {@link #loop}. */
  long bytes;

  /** Whether the connection is being closed, because its client reads nothing. */
  private boolean closing;

  /**
   * Registers with the connection.
   *
   * @param nanos the current time, exact to a few seconds
   */
  TrackedConnection(
      Http2ConnectionHandler handler,
      ChannelHandlerContext context,
      LoopStreams loop,
      LongSupplier nanos) {
    this.handler = handler;
    this.context = context;
    this.loop = loop;
    this.nanos = nanos;
    this.key = handler.connection().newKey();
    handler.connection().addListener(this);
    Http2FrameListener listener = handler.decoder().frameListener();
    handler.decoder().frameListener(new HeaderGuard(listener));
  }

  /** The number of open streams. */
  int open() {
    return open;
  }

  boolean isClosing() {
    return closing;
  }

  @Override
  public void onStreamActive(Http2Stream stream) {
    if (closing) {
      return; // the stream is ignored
    }
    OpenStream one = new OpenStream(this, stream, nanos.getAsLong());
    stream.setProperty(key, one);
    loop.add(one);
    open++;
  }

  @Override
  public void onStreamClosed(Http2Stream stream) {
    OpenStream one = stream.removeProperty(key);
    if (one == null) {
      return;
    }
    one.closed = true;
    open--;
    longLived -= one.longLived ? 1 : 0;
    loop.remove(one);
  }

  private @Nullable OpenStream find(int id) {
    Http2Stream stream = handler.connection().stream(id);
    return stream == null ? null : stream.getProperty(key);
  }

  boolean admit(int id, long headerBytes) {
    OpenStream stream = find(id);
    return stream == null || loop.admit(stream, OpenStream.bytes(headerBytes));
  }

  /** Whether the client has ended its side of a stream. */
  boolean isRemoteClosed(int id) {
    Http2Stream stream = handler.connection().stream(id);
    return stream == null || stream.state() == Http2Stream.State.HALF_CLOSED_REMOTE;
  }

  boolean markLongLived(int id) {
    OpenStream stream = find(id);
    if (stream == null || stream.longLived) {
      return true;
    }
    boolean kept = longLived < MAX_LONG_LIVED && loop.markLongLived(stream);
    longLived += kept ? 1 : 0;
    return kept;
  }

  /**
   * Resets a stream to make room for another. The stream closes and releases its memory only when
   * the reset is sent, so it is flushed at once, and not in a batch. If the client does not read
   * it, the connection is closed; otherwise the streams would never close.
   */
  void evict(OpenStream one) {
    loop.markEnded(one);
    if (closing) {
      return; // its streams close with it
    }
    if (!isReset(one)) {
      close();
    }
  }

  private void close() {
    loop.onClosing(this);
    closing = true;
    var unused = context.close();
  }

  /** Whether the client has granted enough window for a response. */
  private boolean hasWindow(OpenStream one) {
    return handler.encoder().flowController().windowSize(one.stream) >= MIN_WINDOW_BYTES;
  }

  private boolean isReset(OpenStream one) {
    ChannelFuture sent = reset(one);
    context.flush();
    ChannelHandlerContext head = context.pipeline().firstContext();
    if (head != null) {
      head.flush();
    }
    return one.closed && sent.isSuccess();
  }

  /** Leaves the time of a stream to the edge that proxies it. */
  void markProxied(int id) {
    OpenStream stream = find(id);
    if (stream != null) {
      stream.proxied = true;
    }
  }

  /** Resets a stream that only its client keeps open: it reads no response, or ends no request. */
  void resetIfAbandoned(OpenStream one) {
    if (one.proxied) {
      return;
    }
    Http2Stream.State state = one.stream.state();
    if (one.stream.isResetSent() // and the client has not read it
        || state == Http2Stream.State.HALF_CLOSED_REMOTE
        || state == Http2Stream.State.HALF_CLOSED_LOCAL) {
      evict(one);
    }
  }

  /**
   * Uses error codes that do not count as a sign of attack, for which the connection would close.
   */
  private ChannelFuture reset(OpenStream one) {
    // RFC 9113, 8.1: after a complete response, this asks the client not to send the rest.
    boolean answered = one.stream.state() == Http2Stream.State.HALF_CLOSED_LOCAL;
    Http2Error code = answered ? Http2Error.NO_ERROR : Http2Error.CANCEL;
    return handler.resetStream(context, one.stream.id(), code.code(), context.newPromise());
  }

  private void refuse(OpenStream one) {
    long code = Http2Error.REFUSED_STREAM.code();
    var unused = handler.resetStream(context, one.stream.id(), code, context.newPromise());
  }

  /**
   * Checks headers before Vert.x stores them: refuses streams for which there is no room, and
   * trailers that are too large.
   */
  private final class HeaderGuard extends Http2FrameListenerDecorator {
    HeaderGuard(Http2FrameListener listener) {
      super(listener);
    }

    @Override
    public void onHeadersRead(
        ChannelHandlerContext here, int id, Http2Headers headers, int padding, boolean end)
        throws Http2Exception {
      if (check(id, headers)) {
        super.onHeadersRead(here, id, headers, padding, end);
      }
    }

    @Override
    public void onHeadersRead(
        ChannelHandlerContext here,
        int id,
        Http2Headers headers,
        int dependency,
        short weight,
        boolean exclusive,
        int padding,
        boolean end)
        throws Http2Exception {
      if (check(id, headers)) {
        super.onHeadersRead(here, id, headers, dependency, weight, exclusive, padding, end);
      }
    }

    /**
     * Whether to pass headers on to Vert.x, which allocates much for them; else refuses the stream.
     */
    private boolean check(int id, Http2Headers headers) throws Http2Exception {
      OpenStream one = find(id);
      if (one == null || closing) {
        return !closing;
      }
      if (!one.headersReceived) {
        one.headersReceived = true;
        if (open > MAX_WITHOUT_WINDOW && !hasWindow(one)) {
          close();
        } else if (!loop.hasRoom()) {
          refuse(one);
          return false;
        }
        return !closing;
      }
      long chars = 0;
      for (var header : headers) {
        chars += header.getKey().length() + header.getValue().length();
      }
      if (headers.size() > MAX_TRAILERS || chars > MAX_TRAILER_CHARS) {
        throw Http2Exception.streamError(id, Http2Error.CANCEL, "trailers: too large");
      }
      return true;
    }
  }
}
