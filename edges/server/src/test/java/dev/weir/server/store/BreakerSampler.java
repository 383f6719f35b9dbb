package dev.weir.server.store;

import dev.weir.server.StallDetector;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Samples the circuit breakers of servers continuously, and records their states. */
public final class BreakerSampler implements AutoCloseable {
  private static final long PAUSE_NANOS = 200_000;

  private final List<StoreMonitor> servers;
  private final List<List<Sample>> samples = new ArrayList<>();
  private final Thread sampler = new Thread(this::sample, "breakers");
  private volatile boolean over;

  /** A breaker had this state in all samples of that time; in between it is unknown. */
  private record Sample(String state, long fromNanos, long toNanos) {}

  BreakerSampler(List<StoreMonitor> servers) {
    this.servers = List.copyOf(servers);
    servers.forEach(server -> samples.add(new ArrayList<>()));
    sampler.start();
  }

  private void sample() {
    while (!over) {
      for (int i = 0; i < servers.size(); i++) {
        add(samples.get(i), servers.get(i).breaker());
      }
      LockSupport.parkNanos(PAUSE_NANOS);
    }
  }

  private static void add(List<Sample> before, String state) {
    long now = System.nanoTime();
    synchronized (before) {
      int last = before.size() - 1;
      if (last >= 0 && before.get(last).state.equals(state)) {
        before.set(last, new Sample(state, before.get(last).fromNanos, now));
      } else {
        before.add(new Sample(state, now, now));
      }
    }
  }

  private Stream<Sample> samples(int server, long fromNanos, long toNanos) {
    List<Sample> all = samples.get(server);
    synchronized (all) {
      return all.stream()
          .filter(one -> one.toNanos - fromNanos >= 0 && one.fromNanos - toNanos < 0)
          .toList()
          .stream();
    }
  }

  /** The states of a server during that time, in order. */
  public List<String> states(int server, long fromNanos, long toNanos) {
    return samples(server, fromNanos, toNanos).map(Sample::state).toList();
  }

  /** Whether all breakers were closed all that time. */
  public boolean areClosed(long fromNanos, long toNanos) {
    return IntStream.range(0, servers.size())
        .allMatch(server -> states(server, fromNanos, toNanos).equals(List.of("closed")));
  }

  /**
   * Whether no breaker opened in that time, unless the machine had just stalled.
   *
   * @param just the time before it opened; a stall of a tenth of it makes any answer late
   */
  public boolean stayClosed(long fromNanos, long toNanos, StallDetector stalls, Duration just) {
    for (int server = 0; server < servers.size(); server++) {
      List<Sample> all = samples(server, fromNanos, toNanos).toList();
      for (int i = 1; i < all.size(); i++) {
        long closedNanos = all.get(i - 1).toNanos;
        boolean opened = all.get(i - 1).state.equals("closed");
        long lost = stalls.nanosIn(closedNanos - just.toNanos(), closedNanos);
        if (opened && lost < just.toNanos() / 10) {
          return false;
        }
      }
    }
    return true;
  }

  @Override
  public void close() {
    over = true;
    try {
      sampler.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
