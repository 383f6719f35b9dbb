package dev.weir.server;

import dev.weir.limiter.Limiter;
import dev.weir.rules.RulesSnapshot;
import dev.weir.server.exposition.MetricSink;
import dev.weir.server.listen.RequestBodies;
import dev.weir.server.metrics.HttpStats.Endpoint;
import dev.weir.server.reply.DegradedCounters;
import dev.weir.server.settings.ServerSettings;
import dev.weir.server.shed.ActiveShedder;
import dev.weir.server.telemetry.Telemetry;
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

  /** Writes the metrics of this handler, if it has any of its own. Called by any thread. */
  default void writeMetrics(MetricSink out) {}

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
   * @param decisions how requests are decided
   * @param settings of the server
   * @param bodies bounds the bytes of bodies that are buffered
   */
  record Context(
      Vertx vertx,
      Supplier<RulesSnapshot> rules,
      Decisions decisions,
      ServerSettings settings,
      RequestBodies bodies) {
    /** Decides about requests. */
    public Limiter limiter() {
      return decisions.limiter;
    }

    /** Counts requests that are decided without the store. */
    public DegradedCounters degraded() {
      return decisions.degraded;
    }

    /** Sheds requests, if the rules say so. */
    public ActiveShedder shedder() {
      return decisions.shedder;
    }

    /** Gets what becomes of requests. */
    public Telemetry telemetry() {
      return decisions.telemetry;
    }
  }

  /**
   * How requests are decided, and who learns of it.
   *
   * @param limiter decides about requests
   * @param degraded counts requests that are decided without the store
   * @param shedder sheds requests, if the rules say so
   * @param telemetry gets what becomes of requests
   */
  record Decisions(
      Limiter limiter, DegradedCounters degraded, ActiveShedder shedder, Telemetry telemetry) {}
}
