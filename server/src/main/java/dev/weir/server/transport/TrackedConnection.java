package dev.weir.server.transport;

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

  /** Streams that were ended here and are still there, until the client is told. */
  private int ending;

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

  @Override
  public void onStreamActive(Http2Stream stream) {
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
    open--;
    endless -= one.endless ? 1 : 0;
    if (one.ended) {
      ending--;
    } else {
      loop.remove(one);
    }
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

  /** Ends a stream, so that there is room for another. */
  void end(OpenStream one) {
    one.ended = true;
    loop.remove(one);
    if (ending++ == 0) {
      context.executor().execute(this::tell);
    }
    reset(one);
  }

  /** Sends what was written, at once, and not together with what comes later. */
  private void tell() {
    context.flush();
    context.pipeline().firstContext().flush();
    if (ending > 0) {
      // It takes nothing, not even that, and so its streams would never be closed.
      var unused = context.close();
    }
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
  private void reset(OpenStream one) {
    // RFC 9113, 8.1: whoever has answered asks in this way not to be sent the rest of a request.
    boolean answered = one.stream.state() == Http2Stream.State.HALF_CLOSED_LOCAL;
    Http2Error code = answered ? Http2Error.NO_ERROR : Http2Error.CANCEL;
    var unused = handler.resetStream(context, one.stream.id(), code.code(), context.newPromise());
  }

  /** Sees headers before Vert.x keeps them, and refuses trailers that nobody has weighed. */
  private final class Trailers extends Http2FrameListenerDecorator {
    Trailers(Http2FrameListener listener) {
      super(listener);
    }

    @Override
    public void onHeadersRead(
        ChannelHandlerContext here, int id, Http2Headers headers, int padding, boolean end)
        throws Http2Exception {
      check(id, headers);
      super.onHeadersRead(here, id, headers, padding, end);
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
      check(id, headers);
      super.onHeadersRead(here, id, headers, dependency, weight, exclusive, padding, end);
    }

    private void check(int id, Http2Headers headers) throws Http2Exception {
      OpenStream one = find(id);
      if (one == null || !one.headed) {
        if (one != null) {
          one.headed = true;
        }
        return;
      }
      long chars = 0;
      for (var header : headers) {
        chars += header.getKey().length() + header.getValue().length();
      }
      if (headers.size() > MAX_TRAILERS || chars > MAX_TRAILER_CHARS) {
        throw Http2Exception.streamError(id, Http2Error.CANCEL, "trailers: too large");
      }
    }
  }
}
