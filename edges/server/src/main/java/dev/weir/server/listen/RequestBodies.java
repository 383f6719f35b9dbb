package dev.weir.server.listen;

import dev.weir.server.reply.Replies;
import dev.weir.server.transport.ByteBudget;
import io.vertx.core.Context;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpVersion;
import java.util.function.Consumer;

/** Reads request bodies, bounded in size, time and total memory. Thread-safe. */
public final class RequestBodies {
  /** The maximum size of a body. */
  public static final int MAX_BYTES = 1 << 20;

  private final SlowRequestGuard guard;
  private final ByteBudget budget;

  /**
   * Reads bodies.
   *
   * @param guard cuts off bodies that arrive too slowly
   * @param budget bounds the bytes of all bodies that are arriving
   */
  public RequestBodies(SlowRequestGuard guard, ByteBudget budget) {
    this.guard = guard;
    this.budget = budget;
  }

  /** The share of the byte budget for one more request. */
  public ByteBudget.Share share() {
    return budget.share();
  }

  /**
   * Reads the body and passes it on; answers a body that is too large or too slow with an error.
   */
  public void read(HttpServerRequest request, Consumer<Buffer> then) {
    new Body(request, then).read();
  }

  /** A body that is arriving. */
  private final class Body {
    private final HttpServerRequest request;
    private final Consumer<Buffer> then;
    private final ByteBudget.Share share = budget.share();
    private Buffer arrived = Buffer.buffer();
    private boolean refused;

    Body(HttpServerRequest request, Consumer<Buffer> then) {
      this.request = request;
      this.then = then;
    }

    void read() {
      if (request.version() == HttpVersion.HTTP_2) {
        watch(
            request,
            share,
            () -> Replies.error(request, 408, "the request took too long to arrive"));
        request.response().closeHandler(closed -> drop());
      }
      var unused = request.end().onComplete(complete -> share.end());
      request.handler(this::keep);
      request.endHandler(complete -> end());
    }

    private void keep(Buffer chunk) {
      if (refused) {
        return;
      }
      if (arrived.length() + chunk.length() > MAX_BYTES) {
        refuse(413, "body: too large (expected: at most " + MAX_BYTES + " bytes)");
      } else if (share.grow(chunk.length())) {
        arrived.appendBuffer(chunk);
      } else {
        request.response().putHeader("Retry-After", "1");
        refuse(503, "too many bodies arrive at once; nothing was counted");
      }
    }

    /** Drops the body and ignores the rest of it. */
    private void drop() {
      refused = true;
      arrived = Buffer.buffer();
      share.end();
    }

    private void refuse(int status, String why) {
      drop();
      request.response().putHeader("Connection", "close");
      Replies.error(request, status, why);
    }

    private void end() {
      if (refused) {
        return;
      }
      try {
        then.accept(arrived);
      } catch (IllegalArgumentException e) {
        Replies.error(request, 400, String.valueOf(e.getMessage()));
      } catch (RuntimeException e) {
        Replies.failed(request, e);
      }
    }
  }

  /**
   * Resets an HTTP/2 stream whose request arrives too slowly.
   *
   * @param share released when the request is complete or reset
   * @param late runs before the reset, to send a response for example
   */
  public void watch(HttpServerRequest request, ByteBudget.Share share, Runnable late) {
    new WatchedStream(request, share, late).watch();
  }

  /** The body of an HTTP/2 stream; {@link Http1RequestGuard} watches those of HTTP/1. */
  private final class WatchedStream implements SlowRequestGuard.RequestSource {
    private final HttpServerRequest request;
    private final ByteBudget.Share share;
    private final Runnable late;
    private final Context context = Vertx.currentContext();
    private final long sinceNanos = SlowRequestGuard.nowNanos();

    WatchedStream(HttpServerRequest request, ByteBudget.Share share, Runnable late) {
      this.request = request;
      this.share = share;
      this.late = late;
    }

    void watch() {
      guard.watch(this);
      request.exceptionHandler(failure -> guard.unwatch(this));
      var unused = request.end().onComplete(complete -> guard.unwatch(this));
    }

    @Override
    public long sinceNanos() {
      return sinceNanos;
    }

    @Override
    public void cutOff(long since) {
      guard.unwatch(this);
      context.runOnContext(
          now -> {
            if (!request.isEnded()) {
              late.run();
              var unused = request.response().reset(0);
              share.end(); // Vert.x does not report streams that this side resets
            }
          });
    }
  }
}
