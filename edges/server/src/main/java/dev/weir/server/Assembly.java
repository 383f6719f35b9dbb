package dev.weir.server;

import dev.weir.key.KeySpace;
import dev.weir.rules.ActiveRules;
import dev.weir.server.listen.Listeners.Where;
import dev.weir.server.live.Sampler;
import dev.weir.server.metrics.Metrics;
import dev.weir.server.settings.ServerSettings;
import dev.weir.server.store.StoreConfig;
import dev.weir.server.warmup.Driver;
import io.vertx.core.Future;
import java.time.InstantSource;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The wiring of a server, in the order in which it starts: store, edges with their limiter, ports,
 * warm-up. {@link #stop} undoes what was started, also after a failed start.
 */
final class Assembly {
  private final ServerSettings settings;
  private final ActiveRules rules;
  private final KeySpace keys;
  private final TrafficHandler.@Nullable Factory traffic;
  private final ServerRuntime runtime;
  private @Nullable ServerStore store;
  private @Nullable Edges edges;
  private Ports ports = Ports.NONE;
  private Driver.@Nullable Outcome warmUp;

  /**
   * @param traffic creates the handler for the traffic port; null for decisions by HTTP
   * @param clock of sessions and of the audit log
   * @throws IllegalArgumentException if the audit log cannot be written
   */
  Assembly(
      ServerSettings settings,
      ActiveRules rules,
      KeySpace keys,
      TrafficHandler.@Nullable Factory traffic,
      HostProcess host,
      InstantSource clock) {
    this.settings = settings;
    this.rules = rules;
    this.keys = keys;
    this.traffic = traffic;
    this.runtime = new ServerRuntime(settings, host, clock);
  }

  /**
   * Starts everything, and returns once the server listens and is warm.
   *
   * @param ready whether the server is ready, and does not stop
   * @return whether the server may become ready: false if the process stops meanwhile
   */
  boolean start(StoreConfig config, BooleanSupplier ready, HostProcess host) {
    ServerStore opened = openStore(config);
    Edges wired = new Edges(settings, rules, keys, runtime, opened, traffic, ready);
    edges = wired;
    // Registering loads many classes, which the first requests should not have to wait for.
    Future<?> runtimeMetrics = registerRuntimeMetrics();
    ports = Ports.open(settings, runtime, wired);
    if (!settings.times().warmUp().isZero()) {
      warmUp(opened, wired, host);
    }
    runtimeMetrics.await();
    opened.awaitActions();
    runtime.metrics.http().start();
    wired.observation.sampler.start();
    if (host.isStopping()) {
      return false;
    }
    wired.telemetry.start();
    wired.health.setWarm(wired.service);
    return true;
  }

  private ServerStore openStore(StoreConfig config) {
    ServerStore opened = new ServerStore(config, rules);
    store = opened;
    Metrics metrics = runtime.metrics;
    metrics.watch(rules);
    metrics.watch(config.local());
    metrics.watch(runtime.gates);
    metrics.watch(opened.degraded);
    metrics.watch(opened.actions);
    opened.monitor.ifPresent(monitor -> metrics.watch(config, monitor));
    settings.metrics().expectedServers().ifPresent(metrics::expectServers);
    return opened;
  }

  private Future<?> registerRuntimeMetrics() {
    return runtime
        .vertx
        .executeBlocking(Executors.callable(runtime.metrics::watchRuntime), false)
        .otherwiseEmpty();
  }

  private void warmUp(ServerStore opened, Edges wired, HostProcess host) {
    WarmUp warming =
        new WarmUp(
            runtime.vertx,
            settings,
            rules.current(),
            opened.warmUpStore(),
            wired.readiness,
            runtime.bodies,
            traffic);
    runtime.warmUpCalls.begin(warming);
    Where http = new Where(settings.traffic().host(), ports.traffic(), settings.tls());
    Where grpc = new Where(settings.grpc().host(), ports.grpc(), settings.grpc().tls());
    rules.current().reader().warmUp();
    warmUp = warming.drive(runtime.listeners, http, grpc, host::isStopping);
    runtime.warmUpCalls.end(runtime.vertx);
  }

  Ports ports() {
    return ports;
  }

  /** The outcome of the warm-up, if there was one. */
  Optional<Driver.Outcome> warmUp() {
    return Optional.ofNullable(warmUp);
  }

  /**
   * What ends the seconds of the dashboard.
   *
   * @throws IllegalStateException before the start
   */
  Sampler sampler() {
    Edges wired = edges;
    if (wired == null) {
      throw new IllegalStateException("sampler: none (expected: after the start)");
    }
    return wired.observation.sampler;
  }

  /** The bytes that are buffered of requests which have arrived in part. */
  long bufferedBytes() {
    return runtime.bufferedBytes();
  }

  /** Asks clients to connect elsewhere, and reports that the server is not serving. */
  void drain() {
    runtime.drain();
    if (edges != null) {
      edges.service.stop();
    }
  }

  /**
   * Stops: the watchers of health first, then the ports and Vert.x, what is said about requests,
   * and the store last.
   */
  void stop() {
    if (edges != null) {
      edges.service.end();
      edges.observation.close();
    }
    runtime.close();
    if (edges != null) {
      edges.traffic.close();
      edges.telemetry.close();
    }
    runtime.metrics.close();
    if (store != null) {
      store.close();
    }
  }
}
