package dev.weir.server.reply;

import dev.weir.StoreFailure;
import dev.weir.StoreFailure.Effect;
import dev.weir.server.access.AccessRefused;
import dev.weir.server.audit.AuditUnavailable;
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

/** Responses that all edges share. Call these on the event loop of the request. */
public final class Replies {
  private static final Logger LOG = System.getLogger(Replies.class.getName());

  /** The problem type of a missing decision, so that it is never taken for a denial. */
  private static final String NO_STORE = "urn:weir:problem:store-unavailable";

  private static final String RETRY_SECONDS = "1";

  /** The status of responses without a decision. */
  public static final int UNAVAILABLE = 503;

  private Replies() {}

  /**
   * Continues on the event loop of the request when a result is there; a remote store completes on
   * its own thread, which must not be held up. A failure becomes the response: 503 if the store or
   * the audit log fails.
   */
  public static <T> void when(
      HttpServerRequest request, CompletionStage<T> result, Consumer<T> then) {
    when(request, result, then, onStoreFailure(request));
  }

  /** The usual response to a store failure. */
  static Consumer<StoreFailure> onStoreFailure(HttpServerRequest request) {
    return failure -> unavailable(request, unavailable(UNAVAILABLE, failure.effect()));
  }

  /** Like the three-argument form, with its own response to a store failure. */
  public static <T> void when(
      HttpServerRequest request,
      CompletionStage<T> result,
      Consumer<T> then,
      Consumer<StoreFailure> onStoreFailure) {
    Context context = Vertx.currentContext();
    var unused =
        result.whenComplete(
            (value, failure) -> {
              if (context == null || context == Vertx.currentContext()) {
                finish(request, value, failure, then, onStoreFailure);
              } else {
                context.runOnContext(now -> finish(request, value, failure, then, onStoreFailure));
              }
            });
  }

  private static <T> void finish(
      HttpServerRequest request,
      T value,
      @Nullable Throwable failure,
      Consumer<T> then,
      Consumer<StoreFailure> onStoreFailure) {
    if (request.response().closed()) {
      return; // the client is gone
    }
    try {
      if (failure == null) {
        then.accept(value);
      } else if (StoreFailure.cause(failure) instanceof StoreFailure known) {
        onStoreFailure.accept(known);
      } else if (StoreFailure.cause(failure) instanceof AuditUnavailable unaudited) {
        error(request, UNAVAILABLE, String.valueOf(unaudited.getMessage()));
      } else {
        failed(request, StoreFailure.cause(failure));
      }
    } catch (RuntimeException e) {
      failed(request, e);
    }
  }

  /**
   * The problem document of a missing decision. It leaves out the error of the store, which may
   * name hosts.
   */
  public static JsonObject unavailable(int status, Effect effect) {
    String counted =
        effect == Effect.NONE ? "nothing was counted" : "whether anything was counted is unknown";
    return new JsonObject()
        .put("type", NO_STORE)
        .put("title", title(UNAVAILABLE))
        .put("status", status)
        .put("detail", "the store did not answer; " + counted)
        .put("effect", effect.name().toLowerCase(Locale.ROOT));
  }

  /** Sends such a problem document with the status in it, and {@code Retry-After}. */
  public static void unavailable(HttpServerRequest request, JsonObject problem) {
    request.response().putHeader("Retry-After", RETRY_SECONDS);
    problem(request, problem.getInteger("status"), problem);
  }

  /** Sends a JSON document that must not be cached. */
  public static void json(HttpServerRequest request, int status, JsonObject body) {
    var unused =
        request
            .response()
            .setStatusCode(status)
            .putHeader("Content-Type", "application/json")
            .putHeader("Cache-Control", "no-store")
            .end(body.encode());
  }

  /** Renders a page on a worker thread, because that takes long, and sends it. */
  public static void page(HttpServerRequest request, String type, Callable<Buffer> page) {
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

  /** Sends one line of plain text. */
  public static void text(HttpServerRequest request, int status, String body) {
    var unused =
        request
            .response()
            .setStatusCode(status)
            .putHeader("Content-Type", "text/plain; charset=utf-8")
            .end(body + "\n");
  }

  /** Sends a problem document about the request or this server. */
  public static void error(HttpServerRequest request, int status, String detail) {
    problem(request, status, problem(status, detail));
  }

  /**
   * Rejects a client that lacks access: 401 if a token would help, 429 if it has to wait before it
   * presents another, otherwise 403.
   */
  public static void refused(HttpServerRequest request, AccessRefused why) {
    String detail = String.valueOf(why.getMessage());
    if (why.waitSeconds().isPresent()) {
      request.response().putHeader("Retry-After", "" + why.waitSeconds().getAsLong());
      error(request, 429, detail);
      return;
    }
    if (why.doesTokenHelp()) {
      request.response().putHeader("WWW-Authenticate", "Bearer");
    }
    error(request, why.doesTokenHelp() ? 401 : 403, detail);
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

  /** A problem document (RFC 9457). */
  public static JsonObject problem(int status, String detail) {
    return new JsonObject().put("title", title(status)).put("status", status).put("detail", detail);
  }

  /** Answers 500 without details, and logs the cause. */
  public static void failed(HttpServerRequest request, Throwable e) {
    Failures.log(LOG, "Failed to answer a request", e);
    error(request, 500, "internal error of this server");
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
      case 429 -> "Too many requests";
      case 431 -> "Request header fields too large";
      case 502 -> "Bad gateway";
      case 503 -> "Unavailable";
      case 504 -> "Gateway timeout";
      default -> "Error";
    };
  }
}
