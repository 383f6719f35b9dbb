package dev.weir.gateway;

import io.vertx.core.Vertx;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;

/**
 * The requests in flight, by event loop, each of which checks the time limits of its own. So a
 * request costs no timer. Thread-safe.
 */
final class LoopRequests implements AutoCloseable {
  private static final long PERIOD_MILLIS = 250;

  private final Vertx vertx;
  private final Map<Thread, Set<GatewayRequest>> byLoop = new ConcurrentHashMap<>();
  private final LongAdder inFlight = new LongAdder();
  private final LongAdder forwarded = new LongAdder();
  private final Set<Long> timers = ConcurrentHashMap.newKeySet();
  private volatile boolean closed;

  LoopRequests(Vertx vertx) {
    this.vertx = vertx;
  }

  /** Adds a request of the event loop that calls. */
  void add(GatewayRequest request) {
    byLoop.computeIfAbsent(Thread.currentThread(), this::watch).add(request);
    inFlight.increment();
  }

  /** Removes a request of the event loop that calls. */
  void remove(GatewayRequest request) {
    Set<GatewayRequest> own = byLoop.get(Thread.currentThread());
    if (own != null && own.remove(request)) {
      inFlight.decrement();
    }
  }

  /** Runs on the event loop whose requests are checked. */
  private Set<GatewayRequest> watch(Thread loop) {
    Set<GatewayRequest> own = new HashSet<>();
    if (closed) {
      return own;
    }
    timers.add(
        vertx.setPeriodic(
            PERIOD_MILLIS,
            tick -> {
              long now = System.nanoTime();
              List<GatewayRequest> all = new ArrayList<>(own); // a check may end and remove one
              all.forEach(request -> request.checkTime(now));
            }));
    return own;
  }

  /** Counts a request that is forwarded from now on. */
  void addForwarded() {
    forwarded.increment();
  }

  /** Counts a request that is no longer forwarded. */
  void removeForwarded() {
    forwarded.decrement();
  }

  /** The number of requests that the services behind the gateway are busy with. */
  int forwarded() {
    return (int) Math.min(Integer.MAX_VALUE, forwarded.sum());
  }

  /** Ends the checks. */
  @Override
  public void close() {
    closed = true;
    timers.forEach(vertx::cancelTimer);
  }

  /** The number of requests in flight. */
  long inFlight() {
    return inFlight.sum();
  }
}
