package dev.weir.server.transport;

import io.netty.channel.Channel;
import io.netty.channel.ChannelHandler.Sharable;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Bounds the connections of one listener, so that no client takes the descriptors of all others.
 *
 * <p><b>How.</b> Where there is no room for a new connection, {@link OpenConnections another one}
 * is closed for it, or it is refused: at once, for whoever is entitled to room comes by the same
 * queue. While many that made room are still being closed, a peer that has many is refused, and
 * accepting pauses for the sake of others only. It also pauses when the process runs out of
 * descriptors in spite of all this.
 */
@Sharable
final class ConnectionGate extends ChannelInboundHandlerAdapter {
  private static final Logger LOG = System.getLogger(ConnectionGate.class.getName());

  /** So many descriptors may be in use beyond the limit, and as many again as come at once. */
  private static final int MAX_CLOSING = 16;

  private static final long RETRY_MILLIS = 1_000;
  private static final long LOG_PAUSE_NANOS = TimeUnit.MINUTES.toNanos(1);

  private final String listener;
  private final ConnectionLimits limits;
  private final Consumer<Throwable> onError;
  private final LongSupplier nanos;
  private final ByteBudget unread = ByteBudget.byHeap();
  private final LongAdder refused = new LongAdder();
  private final LongAdder evicted = new LongAdder();
  private final FairReads reads = new FairReads(() -> this.sizeAbout);

  // Under the lock.
  private final OpenConnections open = new OpenConnections();
  private int closing;
  private volatile int sizeAbout;
  private @Nullable ChannelHandlerContext paused;
  private long loggedNanos;

  /**
   * @param onError hears of errors after which the process cannot be relied on
   */
  ConnectionGate(String listener, ConnectionLimits limits, Consumer<Throwable> onError) {
    this(listener, limits, onError, System::nanoTime);
  }

  ConnectionGate(
      String listener, ConnectionLimits limits, Consumer<Throwable> onError, LongSupplier nanos) {
    this.listener = listener;
    this.limits = limits;
    this.onError = onError;
    this.nanos = nanos;
    this.loggedNanos = nanos.getAsLong() - LOG_PAUSE_NANOS;
  }

  int size() {
    synchronized (this) {
      return open.size() + closing;
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
    Peer peer = Peer.of(accepted.remoteAddress());
    Connection connection = new Connection(accepted, peer, unread, onError, nanos);
    if (!enter(connection, context)) {
      refused.increment();
      accepted.unsafe().closeForcibly();
      return;
    }
    accepted.config().setRecvByteBufAllocator(reads);
    accepted.pipeline().addFirst(connection);
    accepted.closeFuture().addListener(closed -> leave(connection));
    context.fireChannelRead(accepted);
  }

  private boolean enter(Connection connection, ChannelHandlerContext context) {
    Peer peer = connection.peer;
    Optional<Connection> other = Optional.empty();
    boolean enters;
    synchronized (this) {
      boolean peerIsFull = peer != null && open.sizeOf(peer) >= limits.perPeer();
      boolean full = open.size() >= limits.total();
      if (closing >= MAX_CLOSING && open.isLarge(peer)) {
        other = Optional.empty();
      } else if (peerIsFull) {
        other = open.idleOf(peer, nanos.getAsLong());
      } else if (full) {
        other = open.forRoom(peer, nanos.getAsLong());
      }
      enters = !(peerIsFull || full) || other.isPresent();
      other.ifPresent(this::expel);
      if (enters) {
        open.add(connection);
        sizeAbout = open.size();
      }
      if (closing > MAX_CLOSING && other.isPresent()) {
        pause(context);
      }
    }
    other.ifPresent(Connection::close);
    if (!enters) {
      warn("too many connections: refused one of a peer that has its share");
    }
    return enters;
  }

  /** It counts no longer, though it is still to be closed. Called under the lock. */
  private void expel(Connection connection) {
    open.remove(connection);
    closing++;
    evicted.increment();
  }

  private void leave(Connection connection) {
    ChannelHandlerContext resumed = null;
    synchronized (this) {
      if (!open.remove(connection)) {
        closing--;
      }
      sizeAbout = open.size();
      if (closing < MAX_CLOSING) {
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

  /** Tries again: there may be room by now. */
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
    List<Connection> others = new ArrayList<>();
    synchronized (this) {
      long now = nanos.getAsLong();
      Optional<Connection> other = open.forRoom(null, now);
      while (other.isPresent()) {
        expel(other.get());
        others.add(other.get());
        boolean more = closing < MAX_CLOSING && OpenConnections.isIdle(other.get(), now);
        other = more ? open.forRoom(null, now) : Optional.empty();
      }
      pause(context);
    }
    others.forEach(Connection::close);
    warn("cannot accept connections, tries again: " + cause);
  }

  private void warn(String what) {
    synchronized (this) {
      long now = nanos.getAsLong();
      if (now - loggedNanos < LOG_PAUSE_NANOS) {
        return;
      }
      loggedNanos = now;
    }
    LOG.log(Level.WARNING, listener + ": " + what + "; " + size() + " are open of " + limits);
  }
}
