package dev.weir.testkit.redis;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;

/**
 * A TCP proxy that injects network faults in front of one port of this machine.
 *
 * <p>A fault is in force when its method returns; faults may be combined. One thread serves all
 * connections, up to 1,024; more are closed at once. Safe for use by any number of threads.
 */
public final class FaultProxy implements AutoCloseable {
  private final ProxyLoop loop;

  private FaultProxy(ProxyLoop loop) {
    this.loop = loop;
  }

  /**
   * A proxy that forwards everything to a port until faults are injected.
   *
   * @throws UncheckedIOException if it cannot listen
   */
  public static FaultProxy before(int port) {
    try {
      return new FaultProxy(ProxyLoop.start(port));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The port of the proxy. */
  public int port() {
    return loop.port();
  }

  /** How many connections are open. */
  public int connections() {
    return loop.call(loop::connections);
  }

  /**
   * Delays what is sent from now on, by half of the round trip in each direction.
   *
   * @throws IllegalArgumentException if the round trip is negative or longer than a minute
   */
  public void latency(Duration roundTrip) {
    if (roundTrip.isNegative() || roundTrip.compareTo(Duration.ofMinutes(1)) > 0) {
      throw new IllegalArgumentException("latency: " + roundTrip + " (expected: 0 s to 1 min)");
    }
    loop.run(() -> loop.delay(roundTrip.toNanos() / 2));
  }

  /** Breaks all connections with RST on both sides, and returns how many; new ones are served. */
  public int reset() {
    return loop.call(loop::reset);
  }

  /**
   * Drops all bytes that are sent or in flight, while connections stay open and new ones are
   * accepted. When the fault ends, connections that have lost bytes are reset, because TCP never
   * delivers bytes after a gap.
   */
  public void blackhole(boolean on) {
    loop.run(() -> loop.swallow(on));
  }

  /** Refuses new connections, as if the port were closed; open connections stay. */
  public void refuse(boolean on) {
    loop.run(() -> loop.refuse(on));
  }

  /** Resets all connections and stops listening. */
  @Override
  public void close() {
    loop.close();
  }
}
