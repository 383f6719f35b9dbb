package dev.weir.server.reply;

import dev.weir.StoreFailure;
import dev.weir.server.access.Operator;
import dev.weir.server.audit.AuditLog;
import dev.weir.server.audit.AuditUnavailable;
import io.vertx.core.Context;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.json.JsonObject;
import java.util.Objects;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Does what operators ask for, once it is in the audit log. Safe for use by any number of threads.
 */
public final class AuditedActions {
  private final AuditLog log;

  /** Actions that are recorded in this log. */
  public AuditedActions(AuditLog log) {
    this.log = log;
  }

  /** The log of the actions. */
  public AuditLog log() {
    return log;
  }

  /**
   * Records an action, does it, and answers the request; call this on its event loop. If the action
   * cannot be recorded, it is not done and the answer is 503. If it fails, that is recorded too, as
   * an event whose name ends in {@code -failed}. It is done even if the client leaves meanwhile.
   *
   * @param event what is done, in a word such as {@code reset}
   * @param details what it is done to; of bounded size, and without secrets
   * @param action does it; called on the same event loop
   * @param answer answers the request with the result
   */
  public <T> void perform(
      HttpServerRequest request,
      Operator who,
      String event,
      JsonObject details,
      Supplier<? extends CompletionStage<T>> action,
      Consumer<T> answer) {
    perform(request, who, event, details, action, answer, Replies.onStoreFailure(request));
  }

  /**
   * Like the six-argument form, with its own response to a store failure.
   *
   * @param onStoreFailure answers the request if the store fails
   */
  public <T> void perform(
      HttpServerRequest request,
      Operator who,
      String event,
      JsonObject details,
      Supplier<? extends CompletionStage<T>> action,
      Consumer<T> answer,
      Consumer<StoreFailure> onStoreFailure) {
    Context loop = Objects.requireNonNull(Vertx.currentContext(), "not on an event loop");
    CompletionStage<T> done =
        log.record(who, event, details)
            .thenComposeAsync(
                recorded -> action.get(), task -> loop.runOnContext(now -> task.run()));
    Replies.when(
        request,
        done.whenComplete(
            (result, failure) -> {
              if (failure != null && !(StoreFailure.cause(failure) instanceof AuditUnavailable)) {
                recordFailure(who, event, details, StoreFailure.cause(failure));
              }
            }),
        answer,
        onStoreFailure);
  }

  private void recordFailure(Operator who, String event, JsonObject details, Throwable cause) {
    String reason =
        cause instanceof StoreFailure ? String.valueOf(cause.getMessage()) : "internal error";
    var unused = log.record(who, event + "-failed", details.copy().put("cause", reason));
  }
}
