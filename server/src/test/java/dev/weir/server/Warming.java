package dev.weir.server;

import dev.weir.memory.MemoryStore;
import dev.weir.testkit.Ports;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** A server that is starting: it warms up, in the middle of which it waits until it is let. */
final class Warming implements AutoCloseable {
  /** After so many rounds, whose connections are open. */
  private static final int ROUNDS = 3;

  final int port = Ports.free();
  final int grpcPort = Ports.free();

  private final AtomicInteger rounds = new AtomicInteger();
  private final CountDownLatch reached = new CountDownLatch(1);
  private final CountDownLatch let = new CountDownLatch(1);
  private final CompletableFuture<Served> started;
  private volatile boolean stop;

  Warming(String rules, ServerSettings settings) throws IOException, InterruptedException {
    ServerSettings warm = settings.withWarmUp(Duration.ofMinutes(4)).withPorts(port, grpcPort, 0);
    started =
        CompletableFuture.supplyAsync(
            () -> Served.onItsPorts(rules, warm, new MemoryStore(), this::isToStop));
    if (!reached.await(60, TimeUnit.SECONDS)) {
      throw new IllegalStateException("it does not warm up: " + started);
    }
  }

  /** Asked before each round. */
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

  /** Lets it go on, and waits until it has started. */
  Served end() {
    let.countDown();
    return started.join();
  }

  /** Tells it to stop, and waits until its start has ended. */
  Served stop() {
    stop = true;
    return end();
  }

  @Override
  public void close() {
    end().close();
  }
}
