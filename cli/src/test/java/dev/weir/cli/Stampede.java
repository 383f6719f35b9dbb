package dev.weir.cli;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A process of its own, in which many callers wait for a line on standard input and then all ask at
 * once, each over a connection of its own, the servers in turn. It writes how many requests passed,
 * and how many were decided without the store.
 *
 * <p>Arguments: the path, the number of callers, how often each asks, the ports.
 */
final class Stampede {
  private final CountDownLatch released = new CountDownLatch(1);
  private final AtomicInteger passed = new AtomicInteger();
  private final AtomicInteger denied = new AtomicInteger();
  private final AtomicInteger degraded = new AtomicInteger();
  private final AtomicInteger failed = new AtomicInteger();

  private Stampede() {}

  public static void main(String[] arguments) throws Exception {
    Stampede all = new Stampede();
    int callers = Integer.parseInt(arguments[1]);
    int times = Integer.parseInt(arguments[2]);
    int servers = arguments.length - 3;
    CountDownLatch connected = new CountDownLatch(callers);
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < callers; i++) {
      int port = Integer.parseInt(arguments[3 + i % servers]);
      Thread thread = new Thread(() -> all.call(arguments[0], port, times, connected));
      thread.start();
      threads.add(thread);
    }
    connected.await();
    System.out.println("connected");
    System.in.read();
    all.released.countDown();
    for (Thread thread : threads) {
      thread.join();
    }
    System.out.printf(
        "passed %d, denied %d, degraded %d, failed %d%n",
        all.passed.get(), all.denied.get(), all.degraded.get(), all.failed.get());
  }

  private void call(String path, int port, int times, CountDownLatch connected) {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      socket.setTcpNoDelay(true);
      socket.setSoTimeout(30_000);
      BufferedReader in =
          new BufferedReader(
              new InputStreamReader(socket.getInputStream(), StandardCharsets.ISO_8859_1));
      connected.countDown();
      released.await();
      for (int i = 0; i < times; i++) {
        String request = "GET /v1/check" + path + " HTTP/1.1\r\nHost: localhost\r\n\r\n";
        socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
        receive(in);
      }
    } catch (IOException | InterruptedException e) {
      failed.incrementAndGet();
    }
  }

  private void receive(BufferedReader in) throws IOException {
    String status = in.readLine();
    int length = 0;
    for (String line = in.readLine(); line != null && !line.isEmpty(); line = in.readLine()) {
      String header = line.toLowerCase(Locale.ROOT);
      if (header.startsWith("content-length:")) {
        length = Integer.parseInt(header.substring("content-length:".length()).strip());
      }
      if (header.startsWith("weir-degraded:")) {
        degraded.incrementAndGet();
      }
    }
    in.skip(length);
    switch (String.valueOf(status).split(" ", 3)[1]) {
      case "200" -> passed.incrementAndGet();
      case "429" -> denied.incrementAndGet();
      default -> failed.incrementAndGet();
    }
  }
}
