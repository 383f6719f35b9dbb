package dev.weir.benchmarks.http;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Sends requests to a server as fast as it answers, over some persistent connections, in a process
 * of its own.
 *
 * <p>With several callers, each has its turn before the first one comes again; and every {@value
 * #HEAVY_EVERY}th request is of one more caller, who is by far the heaviest.
 */
public final class Load {
  private static final int MAX_SAMPLES = 4_000_000;

  private static final int HEAVY_EVERY = 50;
  private static final String KEY = "X-API-Key: " + CallerKeys.PREFIX;
  private static final String LENGTH = "content-length:";

  private final byte[] request;
  private final int keyAt;
  private final int callers;
  private final AtomicLong sent = new AtomicLong();
  private final long[] nanos = new long[MAX_SAMPLES];
  private final AtomicInteger samples = new AtomicInteger();
  private final AtomicInteger failures = new AtomicInteger();
  private volatile boolean measuring;
  private volatile boolean done;

  private Load(String path, int callers) {
    String text =
        """
        POST %s HTTP/1.1
        Host: api.example.com
        X-API-Key: key-000000000017
        X-Tenant: t-1
        X-Plan: pro
        X-Forwarded-For: 203.0.113.7
        User-Agent: load
        Accept: */*
        Content-Length: 0

        """
            .formatted(path)
            .replace("\n", "\r\n");
    this.request = text.getBytes(StandardCharsets.US_ASCII);
    this.keyAt = text.indexOf(KEY) + KEY.length();
    this.callers = callers;
  }

  /** Prints requests per second, microseconds at p50 and p99, and failures. */
  public static void main(String[] args) throws Exception {
    int port = Integer.parseInt(args[0]);
    int connections = Integer.parseInt(args[2]);
    long warmUpMillis = Long.parseLong(args[3]);
    long millis = Long.parseLong(args[4]);
    Load load = new Load(args[1], Integer.parseInt(args[5]));
    List<Page> pages = new ArrayList<>();
    for (int i = 0; i < Integer.parseInt(args[7]); i++) {
      pages.add(Page.open(Integer.parseInt(args[6])));
    }
    CountDownLatch ended = new CountDownLatch(connections);
    for (int i = 0; i < connections; i++) {
      Thread thread =
          new Thread(
              () -> {
                try {
                  load.run(port);
                } catch (IOException e) {
                  throw new UncheckedIOException(e);
                } finally {
                  ended.countDown();
                }
              });
      thread.setDaemon(true);
      thread.start();
    }
    Thread.sleep(warmUpMillis);
    load.measuring = true;
    long start = System.nanoTime();
    Thread.sleep(millis);
    load.measuring = false;
    long elapsed = System.nanoTime() - start;
    load.done = true;
    ended.await();
    if (!pages.stream().allMatch(Page::isServed)) {
      throw new IllegalStateException("a page was not served (expected: events and answers)");
    }
    load.print(elapsed);
  }

  private void print(long elapsed) {
    int count = Math.min(samples.get(), MAX_SAMPLES);
    long[] sorted = Arrays.copyOf(nanos, count);
    Arrays.sort(sorted);
    System.out.printf(
        "%d %d %d %d%n",
        samples.get() * 1_000_000_000L / elapsed,
        sorted[count / 2] / 1_000,
        sorted[(int) (count * 99L / 100)] / 1_000,
        failures.get());
  }

  private void run(int port) throws IOException {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      socket.setTcpNoDelay(true);
      OutputStream out = socket.getOutputStream();
      InputStream in = new BufferedInputStream(socket.getInputStream(), 4_096);
      byte[] line = new byte[1_024];
      byte[] own = request.clone();
      while (!done) {
        if (callers > 1) {
          setCaller(own, sent.getAndIncrement());
        }
        long start = System.nanoTime();
        out.write(own);
        boolean allowed = readResponse(in, line);
        long took = System.nanoTime() - start;
        if (measuring) {
          int sample = samples.getAndIncrement();
          if (sample < MAX_SAMPLES) {
            nanos[sample] = took;
          }
          if (!allowed) {
            failures.incrementAndGet();
          }
        }
      }
    }
  }

  private void setCaller(byte[] to, long number) {
    long others = number - number / HEAVY_EVERY - 1;
    CallerKeys.write(to, keyAt, number % HEAVY_EVERY == 0 ? callers : others % callers);
  }

  /** Reads a response; returns whether its status is 200. */
  private static boolean readResponse(InputStream in, byte[] line) throws IOException {
    boolean allowed = false;
    int body = 0;
    for (int lines = 0; ; lines++) {
      int length = 0;
      int c = in.read();
      while (c != '\n') {
        if (c < 0) {
          throw new IOException("the server closed the connection");
        }
        line[Math.min(length++, line.length - 1)] = (byte) c;
        c = in.read();
      }
      if (lines == 0) {
        allowed = new String(line, 9, 3, StandardCharsets.US_ASCII).equals("200");
      } else if (length <= 1) {
        in.skipNBytes(body);
        return allowed;
      } else if (!allowed && line[LENGTH.length() - 1] == ':') {
        String header = new String(line, 0, length - 1, StandardCharsets.US_ASCII);
        if (header.regionMatches(true, 0, LENGTH, 0, LENGTH.length())) {
          body = Integer.parseInt(header.substring(LENGTH.length()).strip());
        }
      }
    }
  }
}
