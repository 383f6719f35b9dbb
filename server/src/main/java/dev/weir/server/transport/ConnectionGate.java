package dev.weir.server.transport;

import io.netty.channel.Channel;
import io.netty.channel.ChannelHandler.Sharable;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Bounds the connections of one listener, so that no client takes the descriptors of all others.
 *
 * <p><b>How.</b> Where there is no room for a new connection, those that have been idle for longest
 * are closed for it. Where none is idle, it is refused if its peer has too many; if all together
 * are too many, accepting pauses until one is closed, and clients wait in the queue of the system.
 * The same when the process runs out of descriptors in spite of all this.
 *
 * <p>Idle ones are looked for at most ten times a second, and then several are closed at once: a
 * flood of connections costs no more than that.
 */
@Sharable
final class ConnectionGate extends ChannelInboundHandlerAdapter {
  private static final Logger LOG = System.getLogger(ConnectionGate.class.getName());

  /** Longer than any request takes to be answered. */
  private static final long MIN_IDLE_NANOS = TimeUnit.SECONDS.toNanos(2);

  private static final long SEARCH_PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(100);
  private static final long RETRY_MILLIS = 1_000;
  private static final long LOG_PAUSE_NANOS = TimeUnit.MINUTES.toNanos(1);

  private final String listener;
  private final ConnectionLimits limits;
  private final Consumer<Throwable> onError;
  private final LongAdder refused = new LongAdder();
  private final LongAdder evicted = new LongAdder();

  // Under the lock.
  private final Set<Connection> open = new HashSet<>();
  private final Map<Peer, Integer> byPeer = new HashMap<>();
  private @Nullable ChannelHandlerContext paused;
  private long searchedNanos = System.nanoTime() - SEARCH_PAUSE_NANOS;
  private long loggedNanos = System.nanoTime() - LOG_PAUSE_NANOS;

  /**
   * @param onError hears of errors after which the process cannot be relied on
   */
  ConnectionGate(String listener, ConnectionLimits limits, Consumer<Throwable> onError) {
    this.listener = listener;
    this.limits = limits;
    this.onError = onError;
  }

  int size() {
    synchronized (this) {
      return open.size();
    }
  }

  long refused() {
    return refused.sum();
  }

  long evicted() {
    return evicted.sum();
  }

  @Override
  public void channelRead(ChannelHandlerContext context, Object message) {
    Channel accepted = (Channel) message;
    Connection connection = new Connection(accepted, Peer.of(accepted.remoteAddress()), onError);
    if (!enter(connection, context)) {
      refused.increment();
      accepted.unsafe().closeForcibly();
      return;
    }
    accepted.pipeline().addFirst(connection);
    accepted.closeFuture().addListener(closed -> leave(connection));
    context.fireChannelRead(accepted);
  }

  private boolean enter(Connection connection, ChannelHandlerContext context) {
    Peer peer = connection.peer;
    List<Connection> idle = List.of();
    boolean enters;
    synchronized (this) {
      boolean peerIsFull = peer != null && byPeer.getOrDefault(peer, 0) >= limits.perPeer();
      boolean full = open.size() >= limits.total();
      if (peerIsFull || full) {
        idle = longestIdle(other -> !peerIsFull || Objects.equals(peer, other.peer));
      }
      enters = !(peerIsFull || full) || !idle.isEmpty();
      if (enters) {
        open.add(connection);
        if (peer != null) {
          byPeer.merge(peer, 1, Integer::sum);
        }
      }
      if (!peerIsFull && open.size() - idle.size() >= limits.total()) {
        pause(context);
      }
    }
    if (!enters) {
      warn("too many connections: refused, since none is idle");
    }
    evicted.add(idle.size());
    idle.forEach(Connection::close);
    return enters;
  }

  /** Some of those that have said nothing for longest. Called under the lock. */
  private List<Connection> longestIdle(Predicate<Connection> which) {
    long now = System.nanoTime();
    if (now - searchedNanos < SEARCH_PAUSE_NANOS) {
      return List.of();
    }
    searchedNanos = now;
    return open.stream()
        .filter(which)
        .filter(other -> other.idleNanos(now) >= MIN_IDLE_NANOS)
        .sorted(Comparator.comparingLong((Connection other) -> other.idleNanos(now)).reversed())
        .limit(1 + limits.perPeer() / 8)
        .toList();
  }

  private void leave(Connection connection) {
    ChannelHandlerContext resumed = null;
    synchronized (this) {
      if (open.remove(connection) && connection.peer != null) {
        byPeer.computeIfPresent(connection.peer, (peer, count) -> count == 1 ? null : count - 1);
      }
      if (open.size() < limits.total()) {
        resumed = paused;
        paused = null;
      }
    }
    if (resumed != null) {
      resumed.channel().config().setAutoRead(true);
    }
  }

  /** Accepts nothing until a connection is closed, or a moment has passed. Under the lock. */
  private void pause(ChannelHandlerContext context) {
    if (paused == null && context.channel().isActive()) {
      paused = context;
      context.channel().config().setAutoRead(false);
      var unused = context.executor().schedule(this::resume, RETRY_MILLIS, TimeUnit.MILLISECONDS);
    }
  }

  /** Tries again: connections may be idle by now. */
  private void resume() {
    ChannelHandlerContext resumed;
    synchronized (this) {
      resumed = paused;
      paused = null;
    }
    if (resumed != null && resumed.channel().isActive()) {
      resumed.channel().config().setAutoRead(true);
    }
  }

  /** A connection could not be accepted: for want of descriptors, as a rule. */
  @Override
  public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
    if (cause instanceof Error) {
      onError.accept(cause);
    }
    List<Connection> idle;
    synchronized (this) {
      idle = longestIdle(any -> true);
      pause(context);
    }
    evicted.add(idle.size());
    idle.forEach(Connection::close);
    warn("cannot accept connections, tries again: " + cause);
  }

  private void warn(String what) {
    synchronized (this) {
      long now = System.nanoTime();
      if (now - loggedNanos < LOG_PAUSE_NANOS) {
        return;
      }
      loggedNanos = now;
    }
    LOG.log(Level.WARNING, listener + ": " + what + "; " + size() + " are open of " + limits);
  }
}
