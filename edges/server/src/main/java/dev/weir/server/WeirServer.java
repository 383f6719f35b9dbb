package dev.weir.server;

import dev.weir.key.KeySpace;
import dev.weir.memory.MemoryStore;
import dev.weir.rules.ActiveRules;
import dev.weir.server.live.Sampler;
import dev.weir.server.settings.ServerSettings;
import dev.weir.server.store.StoreConfig;
import dev.weir.server.warmup.Driver;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * A running server, with a port for traffic, one for gRPC and one for administration. Safe for use
 * by any number of threads. {@code Assembly} wires it.
 */
public final class WeirServer implements AutoCloseable {
  private static final Logger LOG = System.getLogger(WeirServer.class.getName());

  private final Duration drainTime;
  private final Assembly assembly;
  private final AtomicBoolean closed = new AtomicBoolean();
  private volatile boolean ready;

  private WeirServer(
      ServerSettings settings,
      ActiveRules rules,
      KeySpace keys,
      TrafficHandler.@Nullable Factory traffic,
      HostProcess host,
      InstantSource clock) {
    this.drainTime = settings.times().drain();
    this.assembly = new Assembly(settings, rules, keys, traffic, host, clock);
  }

  /**
   * Starts a server, and returns once it listens and is warm. If that fails, everything that was
   * started is closed.
   *
   * @throws dev.weir.server.listen.CannotListen if it cannot listen, for example because a port is
   *     taken
   * @throws IllegalArgumentException if two of its own ports are the same, or if the audit log
   *     cannot be written
   */
  public static WeirServer start(
      ServerSettings settings, ActiveRules rules, StoreConfig store, KeySpace keys) {
    return start(settings, rules, store, keys, HostProcess.NEVER_STOPPING);
  }

  /**
   * Starts a server in a process that may stop meanwhile, and that is notified of fatal errors.
   *
   * @throws dev.weir.server.listen.CannotListen if it cannot listen, for example because a port is
   *     taken
   * @throws IllegalArgumentException if two of its own ports are the same, or if the audit log
   *     cannot be written
   */
  public static WeirServer start(
      ServerSettings settings,
      ActiveRules rules,
      StoreConfig store,
      KeySpace keys,
      HostProcess host) {
    return start(settings, rules, store, keys, null, host);
  }

  /**
   * Starts a server with its own handler for the traffic port.
   *
   * @param traffic creates the handler; null for decisions by HTTP
   * @throws dev.weir.server.listen.CannotListen if it cannot listen, for example because a port is
   *     taken
   * @throws IllegalArgumentException if two of its own ports are the same, or if the audit log
   *     cannot be written
   */
  public static WeirServer start(
      ServerSettings settings,
      ActiveRules rules,
      StoreConfig store,
      KeySpace keys,
      TrafficHandler.@Nullable Factory traffic,
      HostProcess host) {
    return start(settings, rules, store, keys, traffic, host, InstantSource.system());
  }

  /**
   * @param clock of sessions and of the audit log
   */
  static WeirServer start(
      ServerSettings settings,
      ActiveRules rules,
      StoreConfig store,
      KeySpace keys,
      TrafficHandler.@Nullable Factory traffic,
      HostProcess host,
      InstantSource clock) {
    settings.checkConflicts();
    WeirServer server = new WeirServer(settings, rules, keys, traffic, host, clock);
    try {
      if (server.assembly.start(store, () -> server.ready, host)) {
        server.ready = true;
      }
      return server;
    } catch (RuntimeException | Error e) {
      try {
        server.close();
      } catch (RuntimeException also) {
        e.addSuppressed(also);
      }
      throw e;
    }
  }

  /**
   * Starts a server without domains, and with counters in this process.
   *
   * @throws dev.weir.server.listen.CannotListen if it cannot listen, for example because a port is
   *     taken
   * @throws IllegalArgumentException if two of its own ports are the same, or if the audit log
   *     cannot be written
   */
  public static WeirServer start(ServerSettings settings, ActiveRules rules, MemoryStore store) {
    return start(settings, rules, StoreConfig.embedded(store), KeySpace.random());
  }

  /** The outcome of the warm-up, if there was one. */
  public Optional<Driver.Outcome> warmUp() {
    return assembly.warmUp();
  }

  /** What ends the seconds of the dashboard. */
  Sampler sampler() {
    return assembly.sampler();
  }

  /** The bytes that are buffered of requests which have arrived in part. */
  long bufferedBytes() {
    return assembly.bufferedBytes();
  }

  /** The port for traffic. */
  public int port() {
    return assembly.ports().traffic();
  }

  /** The port for gRPC; {@link ServerSettings#OFF} if there is none. */
  public int grpcPort() {
    return assembly.ports().grpc();
  }

  /** The port for administration. */
  public int adminPort() {
    return assembly.ports().admin();
  }

  /** The port for metrics alone; {@link ServerSettings#OFF} if there is none. */
  public int metricsPort() {
    return assembly.ports().metrics();
  }

  /**
   * Drains and stops the server: it reports that it is not ready, asks clients to go elsewhere,
   * lets requests in flight finish, and stops. A second call does nothing. An interrupt ends the
   * time for draining early, and nothing else.
   */
  @Override
  public void close() {
    if (!closed.compareAndSet(false, true)) {
      return;
    }
    long start = System.nanoTime();
    boolean served = ready;
    ready = false;
    if (served) {
      String rest = " s: not ready, and clients are asked to go elsewhere";
      LOG.log(Level.INFO, "Draining for " + drainTime.toSeconds() + rest);
    }
    assembly.drain();
    // A server that was never ready has no clients that need time to go elsewhere. It still clears
    // a pending interrupt, which would cut the stop short.
    boolean interrupted = !sleep(served ? drainTime : Duration.ZERO);
    try {
      assembly.stop();
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
    if (served) {
      long millis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start);
      LOG.log(Level.INFO, "Stopped " + millis + " ms after it began to drain");
    }
  }

  /** Whether the time passed without an interrupt. */
  private static boolean sleep(Duration time) {
    try {
      Thread.sleep(time.toMillis());
      return true;
    } catch (InterruptedException e) {
      return false; // the caller restores the interrupt
    }
  }
}
