package dev.weir.server;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.LockSupport;

/** Looks at the breakers of servers all the time, and notes what it sees. */
final class Breakers implements AutoCloseable {
  private static final long PAUSE_NANOS = 200_000;

  private final List<SharedStore> servers;
  private final ConcurrentLinkedQueue<Change> changes = new ConcurrentLinkedQueue<>();
  private final Thread watching = new Thread(this::watch, "breakers");
  private volatile boolean over;

  /** A server was seen in another state than before. */
  private record Change(int server, long nanos, String state) {}

  Breakers(List<SharedStore> servers) {
    this.servers = List.copyOf(servers);
    watching.start();
  }

  private void watch() {
    String[] last = new String[servers.size()];
    while (!over) {
      for (int i = 0; i < last.length; i++) {
        String state = servers.get(i).breaker();
        if (!state.equals(last[i])) {
          changes.add(new Change(i, System.nanoTime(), state));
          last[i] = state;
        }
      }
      LockSupport.parkNanos(PAUSE_NANOS);
    }
  }

  /** The states of a server in that time, beginning with the one that it was in by then. */
  List<String> states(int server, long fromNanos, long toNanos) {
    List<String> states = new ArrayList<>();
    for (Change change : changes) {
      if (change.server == server && change.nanos - toNanos < 0) {
        if (change.nanos - fromNanos <= 0) {
          states.clear();
        }
        states.add(change.state);
      }
    }
    return states;
  }

  /** Whether all servers were closed all that time. */
  boolean areClosed(long fromNanos, long toNanos) {
    for (int i = 0; i < servers.size(); i++) {
      if (!states(i, fromNanos, toNanos).equals(List.of("closed"))) {
        return false;
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
