package dev.weir.server.reply;

import dev.weir.StoreFailure;
import dev.weir.server.access.Operator;
import dev.weir.server.audit.AuditLog;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.json.JsonObject;
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

  /**
   * Records an action, does it, and answers the request; call this on its event loop. If it fails,
   * that is recorded too, as an event whose name ends in {@code -failed}.
   *
   * @param event what is done, in a word such as {@code reset}
   * @param details what it is done to; of bounded size, and without secrets
   * @param action does it
   * @param answer answers the request with the result
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
    CompletionStage<T> done = log.record(who, event, details).thenCompose(recorded -> action.get());
    Replies.when(
        request,
        done.whenComplete(
            (result, failure) -> {
              if (failure != null) {
                String cause = String.valueOf(StoreFailure.cause(failure).getMessage());
                var unused = log.record(who, event + "-failed", details.copy().put("cause", cause));
              }
            }),
        answer,
        onStoreFailure);
  }
}
