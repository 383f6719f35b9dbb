package dev.weir.gateway.upstream;

import dev.weir.rules.gateway.Ejection;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Chooses the servers of an upstream in turn, and leaves out those that fail. Thread-safe.
 *
 * <p>If all servers are unhealthy or ejected, all of them get requests: one that is slow or wrongly
 * reported is better than an error for certain.
 */
final class ServerRing {
  private final List<UpstreamServer> servers;
  private final @Nullable Ejection ejection;
  private final AtomicInteger next = new AtomicInteger();

  ServerRing(List<UpstreamServer> servers, Optional<Ejection> ejection) {
    this.servers = List.copyOf(servers);
    this.ejection = ejection.orElse(null);
  }

  List<UpstreamServer> servers() {
    return servers;
  }

  /**
   * The next server.
   *
   * @param failed a server to avoid if there is another; null for none
   */
  UpstreamServer next(@Nullable UpstreamServer failed, long nowNanos) {
    int size = servers.size();
    if (size == 1) {
      return servers.get(0);
    }
    int start = Math.floorMod(next.getAndIncrement(), size);
    for (int i = 0; i < size; i++) {
      UpstreamServer one = servers.get((start + i) % size);
      if (one != failed && one.isAvailable(nowNanos)) {
        return one;
      }
    }
    UpstreamServer any = servers.get(start);
    return any == failed ? servers.get((start + 1) % size) : any;
  }

  /** Counts a failure of a server, and ejects it after too many in a row. */
  void onFailure(UpstreamServer server, long nowNanos) {
    int row = server.onFailure();
    if (ejection != null && row >= ejection.failures() && mayEject(nowNanos)) {
      server.eject(nowNanos + ejection.time().toNanos());
    }
  }

  private boolean mayEject(long nowNanos) {
    if (ejection == null) {
      return false;
    }
    long ejected = servers.stream().filter(one -> one.isEjected(nowNanos)).count();
    return (ejected + 1) * 100 <= (long) servers.size() * ejection.maxPercent();
  }
}
