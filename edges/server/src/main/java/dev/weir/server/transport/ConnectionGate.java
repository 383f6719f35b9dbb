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
 * Bounds the connections of one listener, so that no client uses up the file descriptors.
 * Thread-safe.
 *
 * <p><b>How.</b> If there is no room for a new connection, {@link OpenConnections another one} is
 * evicted for it, or the new one is rejected. It is rejected at once, because peers that are
 * entitled to room wait in the same accept queue. While many evicted connections are still closing,
 * a peer with many connections is rejected, and accepting pauses only for the sake of other peers.
 * Accepting also pauses when the process runs out of file descriptors in spite of all this.
 */
@Sharable
final class ConnectionGate extends ChannelInboundHandlerAdapter {
  private static final Logger LOG = System.getLogger(ConnectionGate.class.getName());

  /**
   * Accepting pauses while more evicted connections than this are closing. So many descriptors may
   * be in use beyond the limit, and as many again as arrive at once.
   */
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
  private final FairReads reads = new FairReads(() -> this.approximateSize);

  // Guarded by this, except that approximateSize is also read without the lock.
  private final OpenConnections open = new OpenConnections();
  private int closing;
  private volatile int approximateSize;
  private @Nullable ChannelHandlerContext paused;
  private long lastLogNanos;

  /**
   * A gate for one listener.
   *
   * @param onError gets errors after which the process cannot be relied on
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
    this.lastLogNanos = nanos.getAsLong() - LOG_PAUSE_NANOS;
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
    if (!admit(connection, context)) {
      refused.increment();
      accepted.unsafe().closeForcibly();
      return;
    }
    accepted.config().setRecvByteBufAllocator(reads);
    accepted.pipeline().addFirst(connection);
    accepted.closeFuture().addListener(closed -> onClosed(connection));
    context.fireChannelRead(accepted);
  }

  private boolean admit(Connection connection, ChannelHandlerContext context) {
    Peer peer = connection.peer;
    Optional<Connection> victim = Optional.empty();
    boolean admitted;
    synchronized (this) {
      boolean peerIsFull = peer != null && open.sizeOf(peer) >= limits.perPeer();
      boolean full = open.size() >= limits.total();
      if (closing >= MAX_CLOSING && open.isLarge(peer)) {
        victim = Optional.empty();
      } else if (peerIsFull) {
        victim = open.idleOf(peer, nanos.getAsLong());
      } else if (full) {
        victim = open.victimFor(peer, nanos.getAsLong());
      }
      admitted = !(peerIsFull || full) || victim.isPresent();
      victim.ifPresent(this::evict);
      if (admitted) {
        open.add(connection);
        approximateSize = open.size();
      }
      if (closing > MAX_CLOSING && victim.isPresent()) {
        pause(context);
      }
    }
    victim.ifPresent(Connection::close);
    if (!admitted) {
      warn("too many connections: rejected one from a peer that has its share");
    }
    return admitted;
  }

  /** Stops counting a connection that is about to be closed. Called under the lock. */
  private void evict(Connection connection) {
    open.remove(connection);
    closing++;
    evicted.increment();
  }

  private void onClosed(Connection connection) {
    ChannelHandlerContext resumed = null;
    synchronized (this) {
      if (!open.remove(connection)) {
        closing--;
      }
      approximateSize = open.size();
      if (closing < MAX_CLOSING) {
        resumed = paused;
        paused = null;
      }
    }
    if (resumed != null) {
      resumed.channel().config().setAutoRead(true);
    }
  }

  /** Pauses accepting until a connection closes or a retry is due. Called under the lock. */
  private void pause(ChannelHandlerContext context) {
    if (paused == null && context.channel().isActive()) {
      paused = context;
      context.channel().config().setAutoRead(false);
      var unused = context.executor().schedule(this::resume, RETRY_MILLIS, TimeUnit.MILLISECONDS);
    }
  }

  /** Resumes accepting: there may be room by now. */
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

  /** Makes room when a connection could not be accepted, usually for lack of file descriptors. */
  @Override
  public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
    if (cause instanceof Error) {
      onError.accept(cause);
    }
    List<Connection> victims = new ArrayList<>();
    synchronized (this) {
      long now = nanos.getAsLong();
      Optional<Connection> victim = open.victimFor(null, now);
      while (victim.isPresent()) {
        evict(victim.get());
        victims.add(victim.get());
        boolean another = closing < MAX_CLOSING && OpenConnections.isIdle(victim.get(), now);
        victim = another ? open.victimFor(null, now) : Optional.empty();
      }
      pause(context);
    }
    victims.forEach(Connection::close);
    warn("cannot accept connections, will retry: " + cause);
  }

  private void warn(String what) {
    synchronized (this) {
      long now = nanos.getAsLong();
      if (now - lastLogNanos < LOG_PAUSE_NANOS) {
        return;
      }
      lastLogNanos = now;
    }
    LOG.log(Level.WARNING, listener + ": " + what + "; " + size() + " are open, limits: " + limits);
  }
}
