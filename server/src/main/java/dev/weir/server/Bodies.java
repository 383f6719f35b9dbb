package dev.weir.server;

import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerRequest;
import java.util.function.Consumer;

/** Reads the body of a request, up to a bound. */
final class Bodies {
  static final int MOST_BYTES = 1 << 20;

  private Bodies() {}

  static void read(HttpServerRequest request, Consumer<Buffer> then) {
    Buffer body = Buffer.buffer();
    boolean[] tooLarge = {false};
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
}
