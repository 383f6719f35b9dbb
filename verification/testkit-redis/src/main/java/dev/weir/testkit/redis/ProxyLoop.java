package dev.weir.testkit.redis;

import dev.weir.testkit.Ports;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.LinkedHashSet;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * The event loop of a {@link FaultProxy}, and all state that only its thread may touch. Other
 * threads use {@link #call}, {@link #run(Command)} and {@link #close}.
 */
final class ProxyLoop {
  private static final int MAX_LINKS = 1024;
  private static final int TIMEOUT_SECONDS = 5;

  private final InetSocketAddress address;
  private final InetSocketAddress target;
  private final Selector selector = Selector.open();
  private final Thread thread = new Thread(this::loop, "fault-proxy");
  private final Queue<FutureTask<?>> tasks = new ConcurrentLinkedQueue<>();
  private final Set<ProxyLink> links = new LinkedHashSet<>();
  private @Nullable ServerSocketChannel listener;
  private long delayNanos;
  private boolean swallowing;
  private boolean ended;

  private ProxyLoop(int port) throws IOException {
    InetAddress loopback = InetAddress.getLoopbackAddress();
    target = new InetSocketAddress(loopback, port);
    address = new InetSocketAddress(loopback, Ports.free());
  }

  static ProxyLoop start(int port) throws IOException {
    ProxyLoop loop = new ProxyLoop(port);
    loop.refuse(false);
    loop.thread.setDaemon(true);
    loop.thread.start();
    return loop;
  }

  int port() {
    return address.getPort();
  }

  /** A command for the loop's thread. */
  @FunctionalInterface
  interface Command {
    void run() throws IOException;
  }

  /** Runs a command on the loop's thread, and returns when its effects are visible. */
  void run(Command command) {
    call(
        () -> {
          command.run();
          return true;
        });
  }

  /** Calls a function on the loop's thread, and returns when its effects are visible. */
  <T> T call(Callable<T> function) {
    FutureTask<T> task =
        new FutureTask<>(
            () -> {
              // Bytes that were sent before the call are served before it.
              selector.selectNow();
              serveSelected();
              flush();
              T result = function.call();
              flush();
              // The peer sees a channel closed only after the selector has released it.
              selector.selectNow();
              return result;
            });
    if (!thread.isAlive()) {
      throw new IllegalStateException("closed: the proxy before " + target);
    }
    tasks.add(task);
    selector.wakeup();
    try {
      return task.get(TIMEOUT_SECONDS, TimeUnit.SECONDS);
    } catch (ExecutionException | TimeoutException e) {
      throw new IllegalStateException("the proxy before " + target + " failed: " + e, e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted", e);
    }
  }

  int connections() {
    return links.size();
  }

  void delay(long nanos) {
    delayNanos = nanos;
  }

  int reset() {
    int broken = links.size();
    links.forEach(ProxyLink::abort);
    links.clear();
    return broken;
  }

  void swallow(boolean on) {
    swallowing = on;
    if (!on) {
      links.stream().filter(ProxyLink::hasGap).forEach(ProxyLink::abort);
    }
  }

  void refuse(boolean on) throws IOException {
    if (on && listener != null) {
      listener.close();
      listener = null;
    } else if (!on && listener == null) {
      listener = ServerSocketChannel.open();
      listener.setOption(StandardSocketOptions.SO_REUSEADDR, true);
      listener.bind(address);
      listener.configureBlocking(false);
      listener.register(selector, SelectionKey.OP_ACCEPT);
    }
  }

  private void loop() {
    try (selector) {
      while (!ended) {
        selector.select(flush());
        serveSelected();
        for (FutureTask<?> task = tasks.poll(); task != null; task = tasks.poll()) {
          task.run();
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void serveSelected() throws IOException {
    for (SelectionKey key : selector.selectedKeys()) {
      if (key.isValid()) {
        serve(key);
      }
    }
    selector.selectedKeys().clear();
  }

  private void serve(SelectionKey key) throws IOException {
    if (key.attachment() instanceof ProxyLink link) {
      link.serve(key, System.nanoTime() + delayNanos);
    } else if (listener != null) {
      SocketChannel client = listener.accept();
      if (client != null) {
        admit(client);
      }
    }
  }

  private void admit(SocketChannel client) throws IOException {
    if (links.size() == MAX_LINKS) {
      client.close();
      return;
    }
    try {
      links.add(new ProxyLink(client, target, selector));
    } catch (IOException e) {
      // A client that disconnects before it is served must not end the proxy for the others.
      client.close();
    }
  }

  /** Forwards what is due, and returns the milliseconds until more is due, or 0 for no timeout. */
  private long flush() {
    long now = System.nanoTime();
    long next = Long.MAX_VALUE;
    for (ProxyLink link : links) {
      next = Math.min(next, link.flush(now, swallowing));
    }
    links.removeIf(ProxyLink::isClosed);
    return next == Long.MAX_VALUE ? 0 : TimeUnit.NANOSECONDS.toMillis(next) + 1;
  }

  void close() {
    if (!thread.isAlive()) {
      return;
    }
    run(
        () -> {
          refuse(true);
          reset();
          ended = true;
        });
    try {
      thread.join(TimeUnit.SECONDS.toMillis(TIMEOUT_SECONDS));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
