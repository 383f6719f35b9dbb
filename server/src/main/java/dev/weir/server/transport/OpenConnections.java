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
 * The connections of one listener by whose they are, and which of them makes room for another.
 *
 * <p><b>Who makes room.</b> Nobody loses a connection to a peer that would then have more than it:
 * so peers that keep all of theirs busy get no further than their share, however many others they
 * open. Among those who have the most, or half of that, one that is idle goes first; a busy one
 * only where its peer has the most, and more than the newcomer's.
 *
 * <p><b>How.</b> Peers are kept in the order of their size. A few connections are looked at each
 * time, and those that stay go to the end of their queue: so a flood of newcomers costs little for
 * each, and all have their turn. Not safe for threads.
 */
final class OpenConnections {
  /** Longer than any request takes to be answered. */
  static final long MIN_IDLE_NANOS = TimeUnit.SECONDS.toNanos(2);

  private static final int MAX_LOOKS = 64;
  private static final int MAX_LOOKS_AT_PEER = 16;

  private final Map<@Nullable Peer, Group> groups = new HashMap<>();

  /** The largest first; among equals the one that was looked at longest ago. */
  private final TreeSet<Group> bySize =
      new TreeSet<>(
          Comparator.<Group>comparingInt(group -> -group.connections.size())
              .thenComparingLong(group -> group.turn));

  private long turns;
  private int size;

  /** Those of one peer, the one that was looked at longest ago first. */
  private static final class Group {
    final LinkedHashSet<Connection> connections = new LinkedHashSet<>();
    long turn;

    /** The one of the next few that has said nothing for longest; they go to the end. */
    Connection quietest(int looks, long now) {
      List<Connection> seen = new ArrayList<>(looks);
      Iterator<Connection> next = connections.iterator();
      while (seen.size() < looks && next.hasNext()) {
        seen.add(next.next());
        next.remove();
      }
      connections.addAll(seen);
      Connection quietest = seen.get(0);
      for (Connection one : seen) {
        quietest = one.idleNanos(now) > quietest.idleNanos(now) ? one : quietest;
      }
      return quietest;
    }
  }

  int size() {
    return size;
  }

  int sizeOf(@Nullable Peer peer) {
    Group group = groups.get(peer);
    return group == null ? 0 : group.connections.size();
  }

  /** Whether this peer has half as many as whoever has most, or more. */
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

  /** Whether it was there. */
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

  /** One that is idle, of this peer. */
  Optional<Connection> idleOf(@Nullable Peer peer, long now) {
    Group group = groups.get(peer);
    return group == null
        ? Optional.empty()
        : Optional.of(group.quietest(MAX_LOOKS_AT_PEER, now)).filter(one -> isIdle(one, now));
  }

  /** One that makes room for a connection of this peer. */
  Optional<Connection> forRoom(@Nullable Peer peer, long now) {
    int then = sizeOf(peer) + 1;
    int many = bySize.isEmpty() ? 0 : bySize.first().connections.size() / 2;
    List<Group> seen = new ArrayList<>();
    Connection idle = null;
    Connection busy = null;
    int looks = MAX_LOOKS;
    for (Group group : bySize) {
      int count = group.connections.size();
      if (count < Math.max(then, many) || looks <= 0 || idle != null) {
        break;
      }
      seen.add(group);
      int some = Math.min(Math.min(looks, MAX_LOOKS_AT_PEER), count);
      looks -= some;
      Connection quietest = group.quietest(some, now);
      if (isIdle(quietest, now)) {
        idle = quietest;
      } else if (busy == null && count > then) {
        busy = quietest;
      }
    }
    for (Group group : seen) {
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
