package dev.weir.server.grpc;

import dev.weir.server.transport.ByteBudget;
import io.vertx.core.Handler;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.internal.http.HttpServerRequestInternal;
import io.vertx.core.internal.http.HttpServerRequestWrapper;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Calls to the reflection service, by which tools ask for the service's description. A request has
 * few bytes and its response many, whether or not the client reads it; so both the number of
 * concurrent calls and the requests of each call are bounded. Safe for use by any number of
 * threads.
 */
public final class Reflections {
  /** The maximum number of concurrent calls, of all clients together. */
  public static final int MAX_CALLS = 16;

  /** The maximum size of the requests of one call: dozens of them. */
  static final int MAX_BYTES = 4 << 10;

  private static final int CANCEL = 8;

  private final RlsService service;
  private final AtomicInteger open = new AtomicInteger();

  Reflections(RlsService service) {
    this.service = service;
  }

  void handle(HttpServerRequest request, ByteBudget.Share share) {
    if (open.incrementAndGet() > MAX_CALLS) {
      open.decrementAndGet();
      RlsService.refuse(request, "too many ask for reflection at once");
      return;
    }
    request.response().closeHandler(closed -> open.decrementAndGet());
    service.handle(new Bounded((HttpServerRequestInternal) request), share);
  }

  /** A request that is reset once its body exceeds the maximum. */
  private static final class Bounded extends HttpServerRequestWrapper {
    private int bytes;

    Bounded(HttpServerRequestInternal request) {
      super(request);
    }

    @Override
    public HttpServerRequest handler(@Nullable Handler<Buffer> handler) {
      super.handler(handler == null ? null : chunk -> read(chunk, handler));
      return this;
    }

    private void read(Buffer chunk, Handler<Buffer> handler) {
      if (bytes > MAX_BYTES) {
        return;
      }
      bytes += chunk.length();
      if (bytes > MAX_BYTES) {
        var unused = response().reset(CANCEL);
      } else {
        handler.handle(chunk);
      }
    }
  }
}
