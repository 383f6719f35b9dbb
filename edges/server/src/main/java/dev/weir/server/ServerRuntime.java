package dev.weir.server;

import dev.weir.server.audit.AuditLog;
import dev.weir.server.listen.Drain;
import dev.weir.server.listen.Listeners;
import dev.weir.server.listen.RequestBodies;
import dev.weir.server.listen.SlowRequestGuard;
import dev.weir.server.listen.WatchedTransport;
import dev.weir.server.log.ThrottledLogFilter;
import dev.weir.server.metrics.Metrics;
import dev.weir.server.settings.ServerSettings;
import dev.weir.server.transport.ByteBudget;
import dev.weir.server.transport.ConnectionGates;
import dev.weir.server.transport.LoopMonitor;
import dev.weir.server.transport.Streams;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import org.jspecify.annotations.Nullable;

/** Vert.x and everything that guards its connections; knows nothing of what the edges decide. */
final class ServerRuntime {
  private static final int EVENT_LOOPS = VertxOptions.DEFAULT_EVENT_LOOP_POOL_SIZE;
  private static final long SWEEP_MILLIS = 5_000;

  private final SlowRequestGuard slowRequests;
  private final ByteBudget budget = ByteBudget.byHeap();

  final InstantSource clock;
  final AuditLog audit;
  final Drain drain = new Drain();
  final Metrics metrics = new Metrics();
  final WarmUpCalls warmUpCalls = new WarmUpCalls();
  final LoopMonitor loops;
  final ConnectionGates gates;
  final Vertx vertx;
  final Listeners listeners;
  final RequestBodies bodies;

  /**
   * @param clock of sessions and of the audit log
   * @throws IllegalArgumentException if the audit log cannot be written
   */
  ServerRuntime(ServerSettings settings, HostProcess host, InstantSource clock) {
    this.clock = clock;
    this.audit = audit(settings.admin().auditLog(), clock);
    this.slowRequests = new SlowRequestGuard(settings.times().request());
    this.loops = new LoopMonitor(host::onFatal);
    this.gates = new ConnectionGates(error -> host.onFatal(String.valueOf(error)));
    Streams streams = Streams.byHeap(EVENT_LOOPS);
    this.vertx =
        Vertx.builder()
            .with(new VertxOptions().setEventLoopPoolSize(EVENT_LOOPS))
            .withTransport(new WatchedTransport(slowRequests, drain, gates, loops, budget))
            .build();
    this.listeners =
        new Listeners(vertx, metrics.http(), drain, gates, streams, warmUpCalls::onClosed);
    this.bodies = new RequestBodies(slowRequests, budget);
    ThrottledLogFilter.install();
    vertx.setPeriodic(slowRequests.period().toMillis(), now -> slowRequests.sweep());
    vertx.setPeriodic(SWEEP_MILLIS, now -> streams.sweep());
    loops.start();
  }

  private static AuditLog audit(@Nullable Path file, InstantSource clock) {
    return file == null ? AuditLog.toServiceLog(clock) : AuditLog.toFile(file, clock);
  }

  /** The bytes that are buffered of requests which have arrived in part. */
  long bufferedBytes() {
    return budget.used();
  }

  /** Asks clients to connect elsewhere; requests are still answered. */
  void drain() {
    drain.begin(Instant.now());
  }

  /**
   * Ends the requests in flight and the connections, and then Vert.x; metrics can still be read.
   */
  void close() {
    slowRequests.shortenForShutdown();
    listeners.shutdown();
    loops.close();
    vertx.close().await();
    audit.close();
  }
}
