package dev.weir.testkit.redis;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;

/**
 * A bad network in front of one port of this machine.
 *
 * <p>A fault is in force when the method that asks for it returns; faults may be combined. One
 * thread serves all connections, up to 1,024; more are closed at once.
 */
public final class FaultProxy implements AutoCloseable {
  private final ProxyLoop loop;

  private FaultProxy(ProxyLoop loop) {
    this.loop = loop;
  }

  /** A proxy that passes on everything to a port, until told otherwise. */
  public static FaultProxy before(int port) {
    try {
      return new FaultProxy(ProxyLoop.start(port));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Where to connect instead. */
  public int port() {
    return loop.port();
  }

  /** How many connections are open. */
  public int connections() {
    return loop.ask(loop::connections);
  }

  /** What is sent from now on takes this much longer, half of it on the way there and half back. */
  public void latency(Duration roundTrip) {
    if (roundTrip.isNegative() || roundTrip.compareTo(Duration.ofMinutes(1)) > 0) {
      throw new IllegalArgumentException("latency: " + roundTrip + " (expected: 0 s to 1 min)");
    }
    loop.tell(() -> loop.delay(roundTrip.toNanos() / 2));
  }

  /** Breaks all connections with RST on both sides, and returns how many; new ones are served. */
  public int reset() {
    return loop.ask(loop::reset);
  }

  /**
   * Swallows all that is sent or on its way, while connections stay open and new ones are accepted.
   * When it ends, connections that have lost something are broken, for TCP never delivers what
   * comes after a gap.
   */
  public void blackhole(boolean on) {
    loop.tell(() -> loop.swallow(on));
  }

  /** Refuses new connections, as if nobody listened; those that are open stay. */
  public void refuse(boolean on) {
    loop.tell(() -> loop.refuse(on));
  }

  /** Breaks all connections and stops listening. */
  @Override
  public void close() {
    loop.close();
  }
}
