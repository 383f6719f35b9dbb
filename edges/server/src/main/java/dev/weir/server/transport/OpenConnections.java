package dev.weir.server.transport;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The connections of one listener by peer, and the choice of the one that is evicted for another.
 * Not thread-safe.
 *
 * <p><b>Which is evicted.</b> A peer never loses a connection to a peer that would then have more
 * than it: so peers that keep all their connections busy get no more than their share, however many
 * they open. Among the peers with the most connections, or half of that, an idle connection is
 * evicted first; a busy one only if its peer has more than the newcomer's peer would have.
 *
 * <p><b>How.</b> Peers are sorted by their number of connections. Each time a few connections are
 * examined, and those that stay move to the end of their queue: so each newcomer of a flood costs
 * little, and every connection gets its turn.
 */
final class OpenConnections {
  /** Longer than any response takes. */
  static final long MIN_IDLE_NANOS = TimeUnit.SECONDS.toNanos(2);

  private static final int MAX_EXAMINED = 64;
  private static final int MAX_EXAMINED_PER_PEER = 16;

  private final Map<@Nullable Peer, Group> groups = new HashMap<>();

  /** The largest first; among equals the one examined longest ago. */
  private final TreeSet<Group> bySize =
      new TreeSet<>(
          Comparator.<Group>comparingInt(group -> -group.connections.size())
              .thenComparingLong(group -> group.turn));

  private long turns;
  private int size;

  /** The connections of one peer, the one examined longest ago first. */
  private static final class Group {
    final LinkedHashSet<Connection> connections = new LinkedHashSet<>();
    long turn;

    /** The longest idle of the next few connections, which move to the end of the queue. */
    Connection longestIdle(int budget, long now) {
      List<Connection> examined = new ArrayList<>(budget);
      Iterator<Connection> next = connections.iterator();
      while (examined.size() < budget && next.hasNext()) {
        examined.add(next.next());
        next.remove();
      }
      connections.addAll(examined);
      Connection longestIdle = examined.get(0);
      for (Connection one : examined) {
        longestIdle = one.idleNanos(now) > longestIdle.idleNanos(now) ? one : longestIdle;
      }
      return longestIdle;
    }
  }

  int size() {
    return size;
  }

  int sizeOf(@Nullable Peer peer) {
    Group group = groups.get(peer);
    return group == null ? 0 : group.connections.size();
  }

  /** Whether this peer has at least half as many connections as the largest. */
  boolean isLarge(@Nullable Peer peer) {
    return !bySize.isEmpty() && 2 * sizeOf(peer) >= bySize.first().connections.size();
  }

  void add(Connection connection) {
    Group group = groups.computeIfAbsent(connection.peer, peer -> new Group());
    bySize.remove(group);
    group.connections.add(connection);
    reinsert(group);
    size++;
  }

  /** Removes a connection; false if it was not there. */
  boolean remove(Connection connection) {
    Group group = groups.get(connection.peer);
    if (group == null || !group.connections.contains(connection)) {
      return false;
    }
    bySize.remove(group);
    group.connections.remove(connection);
    if (group.connections.isEmpty()) {
      groups.remove(connection.peer);
    } else {
      bySize.add(group);
    }
    size--;
    return true;
  }

  private void reinsert(Group group) {
    group.turn = turns++;
    bySize.add(group);
  }

  /** An idle connection of this peer. */
  Optional<Connection> idleOf(@Nullable Peer peer, long now) {
    Group group = groups.get(peer);
    return group == null
        ? Optional.empty()
        : Optional.of(group.longestIdle(MAX_EXAMINED_PER_PEER, now))
            .filter(one -> isIdle(one, now));
  }

  /** The connection to evict for a new one of this peer. */
  Optional<Connection> victimFor(@Nullable Peer peer, long now) {
    int sizeAfter = sizeOf(peer) + 1;
    int minSize = bySize.isEmpty() ? 0 : bySize.first().connections.size() / 2;
    List<Group> examined = new ArrayList<>();
    Connection idle = null;
    Connection busy = null;
    int budget = MAX_EXAMINED;
    for (Group group : bySize) {
      int count = group.connections.size();
      if (count < Math.max(sizeAfter, minSize) || budget <= 0 || idle != null) {
        break;
      }
      examined.add(group);
      int examine = Math.min(Math.min(budget, MAX_EXAMINED_PER_PEER), count);
      budget -= examine;
      Connection longestIdle = group.longestIdle(examine, now);
      if (isIdle(longestIdle, now)) {
        idle = longestIdle;
      } else if (busy == null && count > sizeAfter) {
        busy = longestIdle;
      }
    }
    for (Group group : examined) {
      bySize.remove(group);
      reinsert(group);
    }
    Connection found = idle == null ? busy : idle;
    return found == null ? idleOf(peer, now) : Optional.of(found);
  }

  static boolean isIdle(Connection connection, long now) {
    return connection.idleNanos(now) >= MIN_IDLE_NANOS;
  }
}
