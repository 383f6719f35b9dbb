package dev.weir.server;

import dev.weir.memory.MemoryStore;
import dev.weir.server.settings.ServerSettings;
import dev.weir.testkit.Ports;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** A server whose warm-up pauses until the test continues it. */
final class WarmingServer implements AutoCloseable {
  /** The number of rounds before the pause. */
  private static final int ROUNDS = 3;

  final int port = Ports.free();
  final int grpcPort = Ports.free();

  private final AtomicInteger rounds = new AtomicInteger();
  private final CountDownLatch reached = new CountDownLatch(1);
  private final CountDownLatch let = new CountDownLatch(1);
  private final CompletableFuture<TestServer> started;
  private volatile boolean stop;

  WarmingServer(String rules, ServerSettings settings) throws IOException, InterruptedException {
    ServerSettings warm = settings.withWarmUp(Duration.ofMinutes(4)).withPorts(port, grpcPort, 0);
    started =
        CompletableFuture.supplyAsync(
            () -> TestServer.onItsPorts(rules, warm, new MemoryStore(), this::isToStop));
    if (!reached.await(60, TimeUnit.SECONDS)) {
      throw new IllegalStateException("it does not warm up: " + started);
    }
  }

  /** Called before each round. */
  private boolean isToStop() {
    if (rounds.getAndIncrement() == ROUNDS) {
      reached.countDown();
      try {
        let.await();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
    return stop;
  }

  /** Continues the warm-up, and waits until the server has started. */
  TestServer end() {
    let.countDown();
    return started.join();
  }

  /** Stops the server, and waits until its start has ended. */
  TestServer stop() {
    stop = true;
    return end();
  }

  @Override
  public void close() {
    end().close();
  }
}
