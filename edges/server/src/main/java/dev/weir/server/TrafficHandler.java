package dev.weir.server;

import dev.weir.limiter.Limiter;
import dev.weir.rules.RulesSnapshot;
import dev.weir.server.listen.RequestBodies;
import dev.weir.server.metrics.HttpStats.Endpoint;
import dev.weir.server.reply.DegradedCounters;
import dev.weir.server.settings.ServerSettings;
import dev.weir.server.shed.ActiveShedder;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.HttpServerRequest;
import java.util.function.Supplier;

/**
 * What a server does with the requests on its traffic port. Safe for use by any number of threads.
 */
public interface TrafficHandler extends AutoCloseable {
  /** The endpoint under which a request is counted. */
  Endpoint endpoint(HttpServerRequest request);

  /** Answers a request, on its event loop. */
  void handle(HttpServerRequest request);

  /** Adjusts the options of the listener. */
  default void configure(HttpServerOptions options) {}

  /** Metrics of this handler in the Prometheus text format; empty if there are none. */
  default String metrics() {
    return "";
  }

  /** Ends what the handler has started; called when no more requests come. */
  @Override
  default void close() {}

  /** Creates the handler of a server that starts. */
  interface Factory {
    /**
     * Creates the handler.
     *
     * @throws RuntimeException if it cannot start; the server does not start then
     */
    TrafficHandler create(Context context);

    /**
     * Creates the handler for the calls of the warm-up, which reaches nobody outside this process
     * and yet runs the code that requests of clients will run.
     *
     * @throws RuntimeException if it cannot start; the server does not start then
     */
    TrafficHandler createForWarmUp(Context context);
  }

  /**
   * The parts of a server that its handler uses.
   *
   * @param vertx runs the event loops
   * @param rules the active rules
   * @param limiter decides about requests
   * @param degraded counts requests that are decided without the store
   * @param shedder sheds requests, if the rules say so
   * @param settings of the server
   * @param bodies bounds the bytes of bodies that are buffered
   */
  record Context(
      Vertx vertx,
      Supplier<RulesSnapshot> rules,
      Limiter limiter,
      DegradedCounters degraded,
      ActiveShedder shedder,
      ServerSettings settings,
      RequestBodies bodies) {}
}
