package dev.weir.gateway.upstream;

import dev.weir.rules.gateway.ServerAddress;
import io.vertx.core.net.SocketAddress;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;

/** One server of an upstream, and whether it gets requests. Thread-safe. */
public final class UpstreamServer {
  private final ServerAddress address;
  private final SocketAddress socket;
  private final AtomicInteger failures = new AtomicInteger();
  private final LongAdder requests = new LongAdder();
  private final LongAdder failed = new LongAdder();
  private volatile boolean healthy = true;
  private volatile boolean ejected;
  private volatile long ejectedUntilNanos;

  UpstreamServer(ServerAddress address) {
    this.address = address;
    this.socket = SocketAddress.inetSocketAddress(address.port(), address.host());
  }

  ServerAddress address() {
    return address;
  }

  SocketAddress socket() {
    return socket;
  }

  /** Counts a request that is sent to it. */
  void onRequest() {
    requests.increment();
  }

  /** Counts a success, which ends a row of failures. */
  void onSuccess() {
    if (failures.get() != 0) {
      failures.set(0);
    }
  }

  /** Counts a failure, and returns how many there were in a row. */
  int onFailure() {
    failed.increment();
    return failures.incrementAndGet();
  }

  void eject(long untilNanos) {
    ejectedUntilNanos = untilNanos;
    ejected = true;
    failures.set(0);
  }

  /** Whether it is left out because it failed requests. */
  boolean isEjected(long nowNanos) {
    if (ejected && nowNanos - ejectedUntilNanos >= 0) {
      ejected = false;
    }
    return ejected;
  }

  /** Sets what the last probes found. */
  void setHealthy(boolean isHealthy) {
    healthy = isHealthy;
  }

  /** Whether probes find it healthy; true if there are no probes. */
  public boolean isHealthy() {
    return healthy;
  }

  boolean isAvailable(long nowNanos) {
    return healthy && !isEjected(nowNanos);
  }

  /** The requests that were sent to it. */
  public long requests() {
    return requests.sum();
  }

  /** The requests that failed there. */
  public long failed() {
    return failed.sum();
  }

  /** The URL of the server. */
  @Override
  public String toString() {
    return address.toString();
  }
}
