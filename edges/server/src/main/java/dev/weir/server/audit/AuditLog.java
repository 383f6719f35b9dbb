package dev.weir.server.audit;

import dev.weir.server.access.Operator;
import io.vertx.core.json.JsonObject;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** Records who did what on the administration port: a line of JSON for each event. Thread-safe. */
public final class AuditLog {
  /** The logger of the lines. */
  public static final String LOGGER = "dev.weir.audit";

  private static final Logger LOG = System.getLogger(LOGGER);

  /**
   * Records an event, before what it is about is done.
   *
   * @param event what is done, in a word such as {@code reset}
   * @param details what it is done to; of bounded size, and without secrets
   * @return completes once the line is written
   */
  public CompletionStage<Void> record(Operator who, String event, JsonObject details) {
    JsonObject line =
        new JsonObject()
            .put("who", who.name())
            .put("address", who.address())
            .put("event", event)
            .put("details", details);
    LOG.log(Level.INFO, line.encode());
    return CompletableFuture.completedStage(null);
  }
}
