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
 * Sends calls to a server that has just started, until they are answered quickly.
 *
 * <p><b>How.</b> In each round, as many calls as a busy client has outstanding go over connections
 * that stay open: HTTP/1.1, HTTP/2 and gRPC. Then comes one call of each kind over a connection of
 * its own, as the first call of a client would, and its time is taken, once it is connected. By
 * these times {@link Progress} tells when the code is loaded and compiled. Bounded in time: a
 * machine that is too busy for that gets a server all the same, and the outcome tells.
 */
public final class Driver {
  private static final int CONNECTIONS = 16;
  private static final int STREAMS = 64;

  private final Sockets sockets;
  private final Port traffic;
  private final @Nullable Port grpc;
  private final Calls calls;

  /** Makes the calls; each has a number, so that they can be about different callers. */
  public interface Calls {
    Call check(int number);

    Call decide(int number);

    Call rateLimit(int number);
  }

  /**
   * What came of it.
   *
   * @param slowest of the last calls
   * @param failure why it ended early, if it did
   */
  public record Outcome(
      int rounds, Duration took, Duration slowest, boolean warm, @Nullable IOException failure) {}

  /**
   * @param grpc null if that is off
   */
  public Driver(Sockets sockets, Port traffic, @Nullable Port grpc, Calls calls) {
    this.sockets = sockets;
    this.traffic = traffic;
    this.grpc = grpc;
    this.calls = calls;
  }

  /**
   * Drives, until calls take no longer than {@code quick} and their trips to the store.
   *
   * @param limit how long it may take at most
   * @param tripNanos how long the shortest trip to the store took so far; 0 if there was none
   * @param stop whether it is to end before that
   */
  public Outcome drive(
      Duration quick, Duration limit, LongSupplier tripNanos, BooleanSupplier stop) {
    long start = System.nanoTime();
    CompletableFuture<Void> over =
        new CompletableFuture<Void>()
            .completeOnTimeout(null, limit.toNanos(), TimeUnit.NANOSECONDS);
    var unused = over.thenRun(sockets::cut);
    Progress progress = new Progress(quick);
    long slowest = 0;
    IOException failure = null;
    try (Connections open = new Connections()) {
      while (!over.isDone() && !progress.isWarm() && !stop.getAsBoolean()) {
        open.round(progress.rounds());
        slowest = single(progress.rounds());
        progress.add(slowest, tripNanos.getAsLong());
      }
    } catch (IOException e) {
      failure = over.isDone() ? null : e; // time is over: that is why
    }
    over.cancel(false);
    Duration took = Duration.ofNanos(System.nanoTime() - start);
    boolean warm = failure == null && progress.isWarm();
    return new Outcome(progress.rounds(), took, Duration.ofNanos(slowest), warm, failure);
  }

  /** One call of each kind as the first of a client; returns how long the slowest took. */
  private long single(int round) throws IOException {
    long slowest = timed(http1(), calls.check(round));
    slowest = Math.max(slowest, timed(http2(traffic), calls.check(round)));
    if (grpc != null) {
      slowest = Math.max(slowest, timed(http2(grpc), calls.rateLimit(round)));
    }
    return slowest;
  }

  /** How long a call takes on a connection, which is closed then. */
  private static long timed(Caller connected, Call call) throws IOException {
    try (connected) {
      long start = System.nanoTime();
      connected.call(List.of(call));
      return System.nanoTime() - start;
    }
  }

  private Http1Caller http1() throws IOException {
    return new Http1Caller(sockets.open(traffic, "http/1.1"));
  }

  private Http2Caller http2(Port port) throws IOException {
    return new Http2Caller(sockets.open(port, "h2"));
  }

  /** Those that stay open. */
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
