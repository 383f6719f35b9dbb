package dev.weir.server.transport;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.util.concurrent.EventExecutor;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class LoopMonitorTest {
  private final CompletableFuture<String> death = new CompletableFuture<>();
  private final AtomicLong nanos = new AtomicLong();
  private final AtomicBoolean lost = new AtomicBoolean();
  private final LoopMonitor monitor =
      new LoopMonitor(death::complete, nanos::get, thread -> !lost.get());
  private final EventLoopGroup group =
      new MultiThreadIoEventLoopGroup(2, NioIoHandler.newFactory());

  @AfterEach
  void close() {
    monitor.close();
    var unused = group.shutdownGracefully(0, 1, TimeUnit.SECONDS);
  }

  @Test
  void endedLoopIsReportedAndIsAProblem() throws Exception {
    monitor.watch("requests", group);
    monitor.start();
    assertThat(monitor.problem()).isEmpty();
    EventExecutor second = null;
    for (EventExecutor each : group) {
      second = each;
    }
    var unused =
        java.util.Objects.requireNonNull(second).shutdownGracefully(0, 1, TimeUnit.SECONDS);
    assertThat(death.get(30, TimeUnit.SECONDS))
        .isEqualTo("the event loop \"requests 1\" has ended");
    assertThat(monitor.problem()).contains("the event loop \"requests 1\" has ended");
  }

  /** A loop whose thread died without reporting it, as for lack of memory. */
  @Test
  void loopWithDeadThreadIsReported() throws Exception {
    monitor.watch("requests", group);
    monitor.start();
    lost.set(true);
    assertThat(death.get(30, TimeUnit.SECONDS)).matches("the event loop \"requests .\" has ended");
  }

  @Test
  void blockedLoopIsAProblemUntilItRecovers() throws Exception {
    monitor.watch("acceptor", group);
    monitor.start();
    CountDownLatch release = new CountDownLatch(1);
    CountDownLatch held = new CountDownLatch(1);
    EventExecutor first = group.next();
    first.execute(
        () -> {
          held.countDown();
          try {
            release.await();
          } catch (InterruptedException e) {
            throw new IllegalStateException(e);
          }
        });
    held.await();
    nanos.addAndGet(TimeUnit.SECONDS.toNanos(11));
    assertThat(monitor.problem().orElseThrow()).contains("is blocked for 11 s");
    release.countDown();
    monitor.start(); // sends the first heartbeat
    for (EventExecutor each : group) {
      each.submit(() -> {}).sync();
    }
    assertThat(monitor.problem()).isEmpty();
  }

  @Test
  void loopsMayEndWhenTheServerCloses() throws Exception {
    monitor.watch("requests", group);
    monitor.close();
    group.shutdownGracefully(0, 1, TimeUnit.SECONDS).sync();
    assertThat(death).isNotDone();
  }
}
