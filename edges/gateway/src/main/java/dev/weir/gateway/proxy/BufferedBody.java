package dev.weir.gateway.proxy;

import dev.weir.server.transport.ByteBudget;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerRequest;
import java.util.function.Consumer;

/**
 * The beginning of a request's body, or all of it, which was read before the request is sent.
 * Confined to the event loop of the request.
 */
public final class BufferedBody {
  /** Nothing was read: the body is streamed. */
  public static final BufferedBody NONE = new BufferedBody(Buffer.buffer(), false);

  private final Buffer bytes;
  private final boolean whole;

  private BufferedBody(Buffer bytes, boolean whole) {
    this.bytes = bytes;
    this.whole = whole;
  }

  /** A whole body, with bytes of the gateway's choice. */
  public static BufferedBody of(byte[] bytes) {
    return new BufferedBody(Buffer.buffer(bytes), true);
  }

  /**
   * Reads a body as far as it fits, and passes it on; the request is paused then.
   *
   * @param maxBytes the longest body that is read to its end
   * @param share of the memory for bodies; its owner ends it with the request
   */
  public static void read(
      HttpServerRequest request,
      int maxBytes,
      ByteBudget.Share share,
      Consumer<BufferedBody> then) {
    Buffer read = Buffer.buffer();
    boolean[] done = new boolean[1];
    request.handler(
        part -> {
          read.appendBuffer(part);
          if (!done[0] && (read.length() > maxBytes || !share.grow(part.length()))) {
            done[0] = true;
            request.pause();
            then.accept(new BufferedBody(read, false));
          }
        });
    request.endHandler(
        end -> {
          if (!done[0]) {
            done[0] = true;
            then.accept(new BufferedBody(read, true));
          }
        });
    request.resume();
  }

  /** The bytes that were read. */
  public Buffer bytes() {
    return bytes;
  }

  /** Whether they are the whole body. */
  public boolean isWhole() {
    return whole;
  }
}
