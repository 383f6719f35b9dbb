package dev.weir.server;

import io.vertx.core.Context;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpVersion;
import java.util.function.Consumer;

/** Reads the bodies of requests, up to a bound in size and in time. */
final class Bodies {
  static final int MOST_BYTES = 1 << 20;

  private final Arrivals arrivals;

  Bodies(Arrivals arrivals) {
    this.arrivals = arrivals;
  }

  void read(HttpServerRequest request, Consumer<Buffer> then) {
    Buffer body = Buffer.buffer();
    boolean[] tooLarge = {false};
    if (request.version() == HttpVersion.HTTP_2) {
      watch(request, () -> Replies.error(request, 408, "the request took too long to arrive"));
    }
    request.handler(
        chunk -> {
          if (body.length() + chunk.length() <= MOST_BYTES) {
            body.appendBuffer(chunk);
          } else if (!tooLarge[0]) {
            tooLarge[0] = true;
            request.response().putHeader("Connection", "close");
            Replies.error(
                request, 413, "body: too large (expected: at most " + MOST_BYTES + " bytes)");
          }
        });
    request.endHandler(
        end -> {
          if (tooLarge[0]) {
            return;
          }
          try {
            then.accept(body);
          } catch (IllegalArgumentException e) {
            Replies.error(request, 400, String.valueOf(e.getMessage()));
          } catch (RuntimeException e) {
            Replies.failed(request, e);
          }
        });
  }

  /** Cuts off a stream that takes too long to be whole, after what there is to say. */
  void watch(HttpServerRequest request, Runnable late) {
    new ArrivingBody(request, late).watch();
  }

  /** The body of a stream; that of a connection is minded by {@link ArrivingOnHttp1}. */
  private final class ArrivingBody implements Arrivals.Arriving {
    private final HttpServerRequest request;
    private final Runnable late;
    private final Context context = Vertx.currentContext();
    private final long sinceNanos = Arrivals.nanos();

    ArrivingBody(HttpServerRequest request, Runnable late) {
      this.request = request;
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
            }
          });
    }
  }
}
