package dev.weir.cli.serve;

import dev.weir.cli.Readiness;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A program in which many callers connect to starting servers, wait until all servers are ready,
 * and send requests at that moment. The callers are distributed over the servers. It prints for
 * each path how many requests passed, and how many were decided without the store.
 *
 * <p>Arguments: the paths, separated by commas; the number of callers; the number of requests of
 * each caller for each path; the ports.
 */
final class Stampede {
  private final CountDownLatch released = new CountDownLatch(1);
  private final List<Tally> tallies = new ArrayList<>();
  private final int times;
  private final CountDownLatch connected;

  private Stampede(String[] paths, int callers, int times) {
    for (String path : paths) {
      tallies.add(new Tally(path));
    }
    this.times = times;
    this.connected = new CountDownLatch(callers);
  }

  public static void main(String[] arguments) throws Exception {
    int callers = Integer.parseInt(arguments[1]);
    Stampede all = new Stampede(arguments[0].split(","), callers, Integer.parseInt(arguments[2]));
    int servers = arguments.length - 3;
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < callers; i++) {
      int port = Integer.parseInt(arguments[3 + i % servers]);
      Thread thread = new Thread(() -> all.call(port));
      thread.start();
      threads.add(thread);
    }
    all.connected.await();
    for (int i = 0; i < servers; i++) {
      Readiness.await(Integer.parseInt(arguments[3 + i]));
    }
    all.released.countDown();
    for (Thread thread : threads) {
      thread.join();
    }
    all.tallies.forEach(System.out::println);
  }

  private void call(int port) {
    try (Socket socket = Readiness.connect(port)) {
      socket.setTcpNoDelay(true);
      socket.setSoTimeout(60_000);
      BufferedReader in =
          new BufferedReader(
              new InputStreamReader(socket.getInputStream(), StandardCharsets.ISO_8859_1));
      connected.countDown();
      released.await();
      for (int i = 0; i < times; i++) {
        for (Tally tally : tallies) {
          String request = "GET /v1/check" + tally.path + " HTTP/1.1\r\nHost: localhost\r\n\r\n";
          socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
          tally.receive(in);
        }
      }
    } catch (IOException | InterruptedException e) {
      tallies.get(0).failed.incrementAndGet();
      connected.countDown(); // the others do not wait for this caller
    }
  }

  /** The results of the requests for a path. */
  private static final class Tally {
    private final String path;
    private final AtomicInteger passed = new AtomicInteger();
    private final AtomicInteger denied = new AtomicInteger();
    private final AtomicInteger degraded = new AtomicInteger();
    private final AtomicInteger failed = new AtomicInteger();

    Tally(String path) {
      this.path = path;
    }

    void receive(BufferedReader in) throws IOException {
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

    @Override
    public String toString() {
      return "%s: passed %s, denied %s, degraded %s, failed %s"
          .formatted(path, passed, denied, degraded, failed);
    }
  }
}
