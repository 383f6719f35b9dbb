package dev.weir.load.client;

import dev.weir.load.arrival.Pace;
import dev.weir.load.engine.LoadLoop;
import dev.weir.load.measure.LoadResult;
import dev.weir.load.measure.Recorder;
import dev.weir.load.measure.Second;
import dev.weir.load.traffic.Traffic;
import io.netty.channel.EventLoop;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollSocketChannel;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.net.InetSocketAddress;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Offers load from one thread, with Netty.
 *
 * <p>Runs may follow each other and share connections; one thread at a time may call {@link #run}.
 */
public final class LoadClient implements AutoCloseable {
  /** What is due within this time is sent together: less to wake up for, and less to wait for. */
  private static final long MIN_PAUSE_NANOS = TimeUnit.MICROSECONDS.toNanos(200);

  /** The clock of the second must be read even when nothing happens. */
  private static final long MAX_PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

  private final EventLoopGroup group;
  private final EventLoop events;
  private final HttpTransport transport;
  private final LongSupplier clock;

  /**
   * Creates a client of one address; connects when it runs.
   *
   * @param maxConnections how many connections there may be
   * @param clock nanoseconds that only grow, such as {@code System::nanoTime}
   */
  public LoadClient(InetSocketAddress address, int maxConnections, LongSupplier clock) {
    this.clock = clock;
    boolean epoll = Epoll.isAvailable();
    group =
        new MultiThreadIoEventLoopGroup(
            1,
            new DefaultThreadFactory("weir-load", true),
            epoll ? EpollIoHandler.newFactory() : NioIoHandler.newFactory());
    events = group.next();
    transport =
        new HttpTransport(
            events,
            epoll ? EpollSocketChannel.class : NioSocketChannel.class,
            address,
            maxConnections);
  }

  /**
   * Opens connections, one after the other, and keeps them for the first requests.
   *
   * @return whether the server accepted all of them
   * @throws InterruptedException if the thread is interrupted
   */
  public boolean connect(int count) throws InterruptedException {
    boolean accepted = true;
    for (int opened = 0; opened < count && accepted; opened++) {
      CompletableFuture<Boolean> connected = new CompletableFuture<>();
      events.execute(
          () -> transport.connect().addListener(done -> connected.complete(done.isSuccess())));
      accepted = get(connected);
    }
    return accepted;
  }

  /**
   * Offers load, and waits until all requests have ended.
   *
   * @param listener gets each second that is over, on the thread that sends
   * @throws InterruptedException if the thread is interrupted; requests in flight are abandoned
   * @throws IllegalStateException if the run fails because of a bug
   */
  public LoadResult run(
      Pace pace, Traffic traffic, LoadLoop.Limits limits, Consumer<Second> listener)
      throws InterruptedException {
    long start = clock.getAsLong();
    LongSupplier sinceStart = () -> clock.getAsLong() - start;
    LoadLoop loop =
        new LoadLoop(pace, traffic, transport, limits, new Recorder(listener), sinceStart);
    Run run = new Run(loop, sinceStart);
    loop.onDueEarlier(run::runSoon);
    events.execute(run);
    try {
      return get(run.result);
    } catch (InterruptedException e) {
      run.result.cancel(false);
      throw e;
    }
  }

  private static <T> T get(CompletableFuture<T> result) throws InterruptedException {
    try {
      return result.get();
    } catch (ExecutionException e) {
      throw new IllegalStateException("Failed to offer load", e.getCause());
    }
  }

  /** One run: a task that schedules itself until the run is over. */
  private final class Run implements Runnable {
    final CompletableFuture<LoadResult> result = new CompletableFuture<>();
    private final LoadLoop loop;
    private final LongSupplier sinceStart;
    private @Nullable Future<?> timer;

    Run(LoadLoop loop, LongSupplier sinceStart) {
      this.loop = loop;
      this.sinceStart = sinceStart;
    }

    @Override
    public void run() {
      try {
        if (!result.isDone()) {
          turn();
        }
      } catch (RuntimeException | Error e) {
        result.completeExceptionally(e);
      }
    }

    private void turn() {
      long next = loop.turn();
      if (loop.isOver()) {
        result.complete(loop.finish());
        return;
      }
      long pause = next - sinceStart.getAsLong();
      if (pause <= 0) {
        events.execute(this);
      } else {
        pause = Math.min(MAX_PAUSE_NANOS, Math.max(MIN_PAUSE_NANOS, pause));
        timer = events.schedule(this, pause, TimeUnit.NANOSECONDS);
      }
    }

    /** Runs after what the event loop does now, instead of when the timer ends. */
    void runSoon() {
      if (timer != null && timer.cancel(false)) {
        timer = null;
        events.execute(this);
      }
    }
  }

  /** Closes all connections. */
  @Override
  public void close() {
    events.execute(transport::close);
    var unused = group.shutdownGracefully(0, 1, TimeUnit.SECONDS);
  }
}
