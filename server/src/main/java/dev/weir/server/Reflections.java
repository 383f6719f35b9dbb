package dev.weir.server;

import dev.weir.server.rls.RlsService;
import dev.weir.server.transport.ByteBudget;
import io.vertx.core.Handler;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.internal.http.HttpServerRequestInternal;
import io.vertx.core.internal.http.HttpServerRequestWrapper;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Calls by which people and their tools ask what the service is. Each question is a few bytes and
 * its answer many, whether or not the client takes it; so there are few such calls at once, with
 * few questions each.
 */
final class Reflections {
  /** Calls at once, of all clients. */
  static final int MOST = 16;

  /** The questions of one call: dozens of them. */
  static final int MAX_BYTES = 4 << 10;

  private static final int CANCEL = 8;

  private final RlsService service;
  private final AtomicInteger open = new AtomicInteger();

  Reflections(RlsService service) {
    this.service = service;
  }

  void handle(HttpServerRequest request, ByteBudget.Share share) {
    if (open.incrementAndGet() > MOST) {
      open.decrementAndGet();
      RlsService.refuse(request, "too many ask for reflection at once");
      return;
    }
    request.response().closeHandler(closed -> open.decrementAndGet());
    service.handle(new Bounded((HttpServerRequestInternal) request), share);
  }

  /** A request of which no more than so much is read. */
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
