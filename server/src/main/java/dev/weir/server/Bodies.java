package dev.weir.server;

import dev.weir.server.transport.ByteBudget;
import io.vertx.core.Context;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpVersion;
import java.util.function.Consumer;

/** Reads the bodies of requests, up to a bound in size and in time. */
final class Bodies {
  static final int MAX_BYTES = 1 << 20;

  private final Arrivals arrivals;
  private final ByteBudget budget;

  Bodies(Arrivals arrivals, ByteBudget budget) {
    this.arrivals = arrivals;
    this.budget = budget;
  }

  /** What one more request may keep while it arrives. */
  ByteBudget.Share share() {
    return budget.share();
  }

  void read(HttpServerRequest request, Consumer<Buffer> then) {
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
      var unused = request.end().onComplete(whole -> share.end());
      request.handler(this::keep);
      request.endHandler(whole -> end());
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

    /** Nothing more is kept. */
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
   * Cuts off a stream that takes too long to be whole, after what there is to say.
   *
   * @param share ends with the arrival, in whatever way that ends
   */
  void watch(HttpServerRequest request, ByteBudget.Share share, Runnable late) {
    new ArrivingBody(request, share, late).watch();
  }

  /** The body of a stream; that of a connection is minded by {@link ArrivingOnHttp1}. */
  private final class ArrivingBody implements Arrivals.Arriving {
    private final HttpServerRequest request;
    private final ByteBudget.Share share;
    private final Runnable late;
    private final Context context = Vertx.currentContext();
    private final long sinceNanos = Arrivals.nanos();

    ArrivingBody(HttpServerRequest request, ByteBudget.Share share, Runnable late) {
      this.request = request;
      this.share = share;
      this.late = late;
    }

    void watch() {
      arrivals.watch(this);
      request.exceptionHandler(gone -> arrivals.forget(this));
      var unused = request.end().onComplete(whole -> arrivals.forget(this));
    }

    @Override
    public long sinceNanos() {
      return sinceNanos;
    }

    @Override
    public void cut(long since) {
      arrivals.forget(this);
      context.runOnContext(
          now -> {
            if (!request.isEnded()) {
              late.run();
              var unused = request.response().reset(0);
              share.end(); // Vert.x says nothing of a stream that is reset from this side
            }
          });
    }
  }
}
