package dev.weir.server;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Looks at the breakers of servers all the time, and notes what it sees. */
final class Breakers implements AutoCloseable {
  private static final long PAUSE_NANOS = 200_000;

  private final List<SharedStore> servers;
  private final List<List<Seen>> seen = new ArrayList<>();
  private final Thread watching = new Thread(this::watch, "breakers");
  private volatile boolean over;

  /** A server was in a state whenever it was looked at in that time; in between nobody knows. */
  private record Seen(String state, long fromNanos, long toNanos) {}

  Breakers(List<SharedStore> servers) {
    this.servers = List.copyOf(servers);
    servers.forEach(server -> seen.add(new ArrayList<>()));
    watching.start();
  }

  private void watch() {
    while (!over) {
      for (int i = 0; i < servers.size(); i++) {
        look(seen.get(i), servers.get(i).breaker());
      }
      LockSupport.parkNanos(PAUSE_NANOS);
    }
  }

  private static void look(List<Seen> before, String state) {
    long now = System.nanoTime();
    synchronized (before) {
      int last = before.size() - 1;
      if (last >= 0 && before.get(last).state.equals(state)) {
        before.set(last, new Seen(state, before.get(last).fromNanos, now));
      } else {
        before.add(new Seen(state, now, now));
      }
    }
  }

  private Stream<Seen> seen(int server, long fromNanos, long toNanos) {
    List<Seen> all = seen.get(server);
    synchronized (all) {
      return all.stream()
          .filter(one -> one.toNanos - fromNanos >= 0 && one.fromNanos - toNanos < 0)
          .toList()
          .stream();
    }
  }

  /** What a server was seen in during that time, one after the other. */
  List<String> states(int server, long fromNanos, long toNanos) {
    return seen(server, fromNanos, toNanos).map(Seen::state).toList();
  }

  /** Whether all servers were closed all that time. */
  boolean areClosed(long fromNanos, long toNanos) {
    return IntStream.range(0, servers.size())
        .allMatch(server -> states(server, fromNanos, toNanos).equals(List.of("closed")));
  }

  /**
   * Whether no server opened in that time, unless the machine had just stood still.
   *
   * @param just so long before it opened; a tenth of that makes answers late, whoever is asked
   */
  boolean stayClosed(long fromNanos, long toNanos, Stalls stalls, Duration just) {
    for (int server = 0; server < servers.size(); server++) {
      List<Seen> all = seen(server, fromNanos, toNanos).toList();
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
      watching.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
