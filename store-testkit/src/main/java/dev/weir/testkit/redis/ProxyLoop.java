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
 * The thread of a {@link FaultProxy}, and all that only this thread may touch: others use {@link
 * #ask}, {@link #tell} and {@link #close}.
 */
final class ProxyLoop {
  private static final int MAX_LINKS = 1024;
  private static final int ANSWER_SECONDS = 5;

  private final InetSocketAddress address;
  private final InetSocketAddress target;
  private final Selector selector = Selector.open();
  private final Thread thread = new Thread(this::run, "fault-proxy");
  private final Queue<FutureTask<?>> asked = new ConcurrentLinkedQueue<>();
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

  /** Something for the thread to do. */
  @FunctionalInterface
  interface Order {
    void run() throws IOException;
  }

  /** Has the thread do something, and returns when its effects can be seen. */
  void tell(Order order) {
    ask(
        () -> {
          order.run();
          return true;
        });
  }

  /** Has the thread answer something, and returns when its effects can be seen. */
  <T> T ask(Callable<T> question) {
    FutureTask<T> task =
        new FutureTask<>(
            () -> {
              // What was sent before comes before.
              selector.selectNow();
              serveSelected();
              flush();
              T answer = question.call();
              flush();
              // A channel that was closed is so for its peer only once the selector let go of it.
              selector.selectNow();
              return answer;
            });
    if (!thread.isAlive()) {
      throw new IllegalStateException("closed: the proxy before " + target);
    }
    asked.add(task);
    selector.wakeup();
    try {
      return task.get(ANSWER_SECONDS, TimeUnit.SECONDS);
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

  private void run() {
    try (selector) {
      while (!ended) {
        selector.select(flush());
        serveSelected();
        for (FutureTask<?> task = asked.poll(); task != null; task = asked.poll()) {
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
      // One that is gone before it was served must not end the proxy for the others.
      client.close();
    }
  }

  /** Passes on what is due, and returns the milliseconds until more is, or 0 for ever. */
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
    tell(
        () -> {
          refuse(true);
          reset();
          ended = true;
        });
    try {
      thread.join(TimeUnit.SECONDS.toMillis(ANSWER_SECONDS));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
