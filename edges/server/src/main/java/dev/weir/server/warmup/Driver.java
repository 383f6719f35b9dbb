package dev.weir.server.warmup;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Warms up a server that has just started: sends calls until they are answered quickly.
 *
 * <p><b>How.</b> Each round sends as many calls as a busy client has outstanding over connections
 * that stay open: HTTP/1.1, HTTP/2 and gRPC. Then it sends one call of each kind over a new
 * connection, like the first call of a client, and measures it from the moment it is connected.
 * From these times {@link Progress} decides when the code is loaded and compiled. The time is
 * bounded: on a machine that is too busy the server starts all the same, and the outcome says so.
 *
 * <p>Not thread-safe: one thread runs it, once.
 */
public final class Driver {
  private static final int CONNECTIONS = 16;
  private static final int STREAMS = 64;

  private final Sockets sockets;
  private final Port traffic;
  private final @Nullable Port grpc;
  private final Calls calls;

  /** Creates the calls; each has a number, so that they can be for different callers. */
  public interface Calls {
    /** A call to the check endpoint. */
    Call check(int number);

    /** A call to the decide endpoint. */
    Call decide(int number);

    /** A gRPC call to Envoy's rate limit service. */
    Call rateLimit(int number);
  }

  /**
   * The result of a warm-up.
   *
   * @param rounds the number of rounds
   * @param took the total time
   * @param slowest the slowest call of the last round
   * @param warm whether calls became quick
   * @param failure why it ended early; null if it did not
   */
  public record Outcome(
      int rounds, Duration took, Duration slowest, boolean warm, @Nullable IOException failure) {}

  /**
   * Prepares a warm-up.
   *
   * @param grpc null if gRPC is off
   */
  public Driver(Sockets sockets, Port traffic, @Nullable Port grpc, Calls calls) {
    this.sockets = sockets;
    this.traffic = traffic;
    this.grpc = grpc;
    this.calls = calls;
  }

  /**
   * Sends calls until they take no longer than {@code quick} and their round trips to the store.
   *
   * @param limit the maximum duration
   * @param tripNanos the shortest round trip to the store so far; 0 if there was none
   * @param stop whether to end early
   */
  public Outcome drive(
      Duration quick, Duration limit, LongSupplier tripNanos, BooleanSupplier stop) {
    long start = System.nanoTime();
    CompletableFuture<Void> timeout =
        new CompletableFuture<Void>()
            .completeOnTimeout(null, limit.toNanos(), TimeUnit.NANOSECONDS);
    var unused = timeout.thenRun(sockets::closeAll);
    Progress progress = new Progress(quick);
    long slowest = 0;
    IOException failure = null;
    try (Connections open = new Connections()) {
      while (!timeout.isDone() && !progress.isWarm() && !stop.getAsBoolean()) {
        open.round(progress.rounds());
        slowest = single(progress.rounds());
        progress.add(slowest, tripNanos.getAsLong());
      }
    } catch (IOException e) {
      failure = timeout.isDone() ? null : e; // sockets were closed because time is over
    }
    timeout.cancel(false);
    Duration took = Duration.ofNanos(System.nanoTime() - start);
    boolean warm = failure == null && progress.isWarm();
    return new Outcome(progress.rounds(), took, Duration.ofNanos(slowest), warm, failure);
  }

  /** Sends one call of each kind on a new connection; returns the time of the slowest. */
  private long single(int round) throws IOException {
    long slowest = timed(http1(), calls.check(round));
    slowest = Math.max(slowest, timed(http2(traffic), calls.check(round)));
    if (grpc != null) {
      slowest = Math.max(slowest, timed(http2(grpc), calls.rateLimit(round)));
    }
    return slowest;
  }

  /** Measures a call on a connection, and closes it. */
  private static long timed(Caller caller, Call call) throws IOException {
    try (caller) {
      long start = System.nanoTime();
      caller.call(List.of(call));
      return System.nanoTime() - start;
    }
  }

  private Http1Caller http1() throws IOException {
    return new Http1Caller(sockets.open(traffic, "http/1.1"));
  }

  private Http2Caller http2(Port port) throws IOException {
    return new Http2Caller(sockets.open(port, "h2"));
  }

  /** The connections that stay open. */
  private final class Connections implements AutoCloseable {
    private final List<Http1Caller> http1 = new ArrayList<>();
    private final List<Http2Caller> http2 = new ArrayList<>();

    void round(int round) throws IOException {
      if (http1.isEmpty()) {
        for (int i = 0; i < CONNECTIONS; i++) {
          http1.add(http1());
        }
        http2.add(http2(traffic));
        if (grpc != null) {
          http2.add(http2(grpc));
        }
      }
      for (int i = 0; i < CONNECTIONS; i++) {
        int number = round * CONNECTIONS + i;
        http1.get(i).send(i % 4 == 0 ? calls.decide(number) : calls.check(number));
      }
      for (Http1Caller one : http1) {
        one.receive();
      }
      List<Call> checks = new ArrayList<>();
      List<Call> rateLimits = new ArrayList<>();
      for (int i = 0; i < STREAMS; i++) {
        checks.add(calls.check(round * STREAMS + i));
        rateLimits.add(calls.rateLimit(round * STREAMS + i));
      }
      http2.get(0).call(checks);
      if (grpc != null) {
        http2.get(1).call(rateLimits);
      }
    }

    @Override
    public void close() throws IOException {
      IOException failure = null;
      List<Caller> all = new ArrayList<>(http1);
      all.addAll(http2);
      for (Caller one : all) {
        try {
          one.close();
        } catch (IOException e) {
          failure = e;
        }
      }
      if (failure != null) {
        throw failure;
      }
    }
  }
}
