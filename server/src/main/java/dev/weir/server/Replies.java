package dev.weir.server;

import dev.weir.StoreFailure;
import dev.weir.StoreFailure.Effect;
import dev.weir.server.access.AccessRefused;
import dev.weir.server.log.Failures;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.json.JsonObject;
import java.lang.System.Logger;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Answers that every edge gives. */
final class Replies {
  private static final Logger LOG = System.getLogger(Replies.class.getName());

  /** What kind of problem it is that there is no decision; never to be taken for a denial. */
  private static final String NO_STORE = "urn:weir:problem:store-unavailable";

  private static final String RETRY_SECONDS = "1";
  static final int UNAVAILABLE = 503;

  private Replies() {}

  /**
   * Goes on with what a store says once it does, on the thread of the request; a store elsewhere
   * speaks on a thread of its own, which has better things to do. A failure becomes the answer.
   */
  static <T> void when(HttpServerRequest request, CompletionStage<T> said, Consumer<T> then) {
    when(
        request,
        said,
        then,
        failure -> unavailable(request, unavailable(UNAVAILABLE, failure.effect())));
  }

  /** The same, where there is another way to say that the store did not answer. */
  static <T> void when(
      HttpServerRequest request,
      CompletionStage<T> said,
      Consumer<T> then,
      Consumer<StoreFailure> otherwise) {
    Context context = Vertx.currentContext();
    var unused =
        said.whenComplete(
            (value, failure) -> {
              if (context == null || context == Vertx.currentContext()) {
                finish(request, value, failure, then, otherwise);
              } else {
                context.runOnContext(now -> finish(request, value, failure, then, otherwise));
              }
            });
  }

  private static <T> void finish(
      HttpServerRequest request,
      T value,
      @Nullable Throwable failure,
      Consumer<T> then,
      Consumer<StoreFailure> otherwise) {
    if (request.response().closed()) {
      return; // nobody waits any more
    }
    try {
      if (failure == null) {
        then.accept(value);
      } else if (StoreFailure.cause(failure) instanceof StoreFailure known) {
        otherwise.accept(known);
      } else {
        failed(request, StoreFailure.cause(failure));
      }
    } catch (RuntimeException e) {
      failed(request, e);
    }
  }

  /** There is no decision. What the store itself said may be about machines, and stays here. */
  static JsonObject unavailable(int status, Effect effect) {
    String done =
        effect == Effect.NONE ? "nothing was counted" : "whether anything was counted is unknown";
    return new JsonObject()
        .put("type", NO_STORE)
        .put("title", title(UNAVAILABLE))
        .put("status", status)
        .put("detail", "the store did not answer; " + done)
        .put("effect", effect.name().toLowerCase(Locale.ROOT));
  }

  /** Tells of such a problem, by the status that is in it. */
  static void unavailable(HttpServerRequest request, JsonObject problem) {
    request.response().putHeader("Retry-After", RETRY_SECONDS);
    problem(request, problem.getInteger("status"), problem);
  }

  static void json(HttpServerRequest request, int status, JsonObject body) {
    var unused =
        request
            .response()
            .setStatusCode(status)
            .putHeader("Content-Type", "application/json")
            .putHeader("Cache-Control", "no-store")
            .end(body.encode());
  }

  /** Answers with a page that takes long to put together, which is done beside the event loop. */
  static void page(HttpServerRequest request, String type, Callable<Buffer> page) {
    Future<Buffer> made = Vertx.currentContext().executeBlocking(page, false);
    when(
        request,
        made.toCompletionStage(),
        body -> {
          var unused =
              request
                  .response()
                  .putHeader("Content-Type", type)
                  .putHeader("Cache-Control", "no-store")
                  .end(body);
        });
  }

  static void text(HttpServerRequest request, int status, String body) {
    var unused =
        request
            .response()
            .setStatusCode(status)
            .putHeader("Content-Type", "text/plain; charset=utf-8")
            .end(body + "\n");
  }

  /** A problem document about the request itself, or about this server. */
  static void error(HttpServerRequest request, int status, String detail) {
    problem(request, status, problem(status, detail));
  }

  /** Whoever asks may not: 401 where a token would help. */
  static void refused(HttpServerRequest request, AccessRefused why) {
    if (why.doesTokenHelp()) {
      request.response().putHeader("WWW-Authenticate", "Bearer");
    }
    error(request, why.doesTokenHelp() ? 401 : 403, String.valueOf(why.getMessage()));
  }

  private static void problem(HttpServerRequest request, int status, JsonObject problem) {
    if (request.response().ended()) {
      return;
    }
    var unused =
        request
            .response()
            .setStatusCode(status)
            .putHeader("Content-Type", "application/problem+json")
            .putHeader("Cache-Control", "no-store")
            .end(problem.encode());
  }

  static JsonObject problem(int status, String detail) {
    return new JsonObject().put("title", title(status)).put("status", status).put("detail", detail);
  }

  /** The client gets an answer, and the operator the reason. */
  static void failed(HttpServerRequest request, Throwable e) {
    Failures.log(LOG, "A request could not be answered", e);
    error(request, 500, "an error of this server");
  }

  private static String title(int status) {
    return switch (status) {
      case 400 -> "Bad request";
      case 401 -> "Unauthorized";
      case 403 -> "Forbidden";
      case 404 -> "Not found";
      case 405 -> "Method not allowed";
      case 408 -> "Request timeout";
      case 409 -> "Conflict";
      case 413 -> "Content too large";
      case 414 -> "URI too long";
      case 415 -> "Unsupported media type";
      case 421 -> "Misdirected request";
      case 431 -> "Request header fields too large";
      case 503 -> "Unavailable";
      default -> "Error";
    };
  }
}
