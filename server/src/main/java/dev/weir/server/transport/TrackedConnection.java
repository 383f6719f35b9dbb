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

/** A connection of HTTP/2 and its open streams. Touched by its event loop only. */
final class TrackedConnection extends Http2ConnectionAdapter {
  /** Whoever wants to hear for good of several things opens another connection. */
  private static final int MAX_ENDLESS = 8;

  /** A connection with more open streams than this must leave windows for the answers. */
  private static final int MAX_WITHOUT_WINDOW = 32;

  /** Enough for an answer; the default of HTTP/2 is 64 KiB. */
  private static final int MIN_WINDOW_BYTES = 1 << 10;

  /** Nobody reads trailers; a few are sent by some libraries. */
  private static final int MAX_TRAILERS = 16;

  private static final int MAX_TRAILER_CHARS = 4 << 10;

  private final Http2ConnectionHandler handler;
  private final ChannelHandlerContext context;
  private final Http2Connection.PropertyKey key;
  private final LoopStreams loop;
  private final LongSupplier nanos;
  private int open;
  private int endless;

  /** What its streams take; kept by {@link #loop}. */
  long bytes;

  /** Whether it is being closed, for it takes nothing. */
  private boolean closing;

  /**
   * @param nanos the time to a few seconds
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
    handler.decoder().frameListener(new Trailers(listener));
  }

  /** How many streams it has. */
  int open() {
    return open;
  }

  boolean isClosing() {
    return closing;
  }

  @Override
  public void onStreamActive(Http2Stream stream) {
    if (closing) {
      return; // nothing is made of it
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
    endless -= one.endless ? 1 : 0;
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

  boolean keep(int id) {
    OpenStream stream = find(id);
    if (stream == null || stream.endless) {
      return true;
    }
    boolean kept = endless < MAX_ENDLESS && loop.keep(stream);
    endless += kept ? 1 : 0;
    return kept;
  }

  /**
   * Ends a stream, so that there is room for another. It is closed when the reset is sent, and
   * until then it keeps all that it has: so that is sent at once, and not together with what comes
   * later. Whoever does not take it loses the connection, or else its streams would never be
   * closed.
   */
  void end(OpenStream one) {
    loop.end(one);
    if (closing) {
      return; // and its streams with it
    }
    if (!isReset(one)) {
      close();
    }
  }

  private void close() {
    loop.closes(this);
    closing = true;
    var unused = context.close();
  }

  /** Whether its client takes an answer on it, as it has said. */
  private boolean hasWindow(OpenStream one) {
    return handler.encoder().flowController().windowSize(one.stream) >= MIN_WINDOW_BYTES;
  }

  private boolean isReset(OpenStream one) {
    ChannelFuture sent = reset(one);
    context.flush();
    ChannelHandlerContext outermost = context.pipeline().firstContext();
    if (outermost != null) {
      outermost.flush();
    }
    return one.closed && sent.isSuccess();
  }

  /** Ends a stream that only its client keeps open: it takes no answer, or ends no request. */
  void endIfItWaits(OpenStream one) {
    Http2Stream.State state = one.stream.state();
    if (one.stream.isResetSent() // and the client has not taken it
        || state == Http2Stream.State.HALF_CLOSED_REMOTE
        || state == Http2Stream.State.HALF_CLOSED_LOCAL) {
      end(one);
    }
  }

  /** Neither of the two codes counts as a sign of an attack, for which a connection is closed. */
  private ChannelFuture reset(OpenStream one) {
    // RFC 9113, 8.1: whoever has answered asks in this way not to be sent the rest of a request.
    boolean answered = one.stream.state() == Http2Stream.State.HALF_CLOSED_LOCAL;
    Http2Error code = answered ? Http2Error.NO_ERROR : Http2Error.CANCEL;
    return handler.resetStream(context, one.stream.id(), code.code(), context.newPromise());
  }

  private void refuse(OpenStream one) {
    long code = Http2Error.REFUSED_STREAM.code();
    var unused = handler.resetStream(context, one.stream.id(), code, context.newPromise());
  }

  /**
   * Sees headers before Vert.x keeps them; refuses those for which there is no room, and trailers
   * that nobody has weighed.
   */
  private final class Trailers extends Http2FrameListenerDecorator {
    Trailers(Http2FrameListener listener) {
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

    /** Whether they are for Vert.x, which makes much of them; else the stream is refused. */
    private boolean check(int id, Http2Headers headers) throws Http2Exception {
      OpenStream one = find(id);
      if (one == null || closing) {
        return !closing;
      }
      if (!one.headed) {
        one.headed = true;
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
