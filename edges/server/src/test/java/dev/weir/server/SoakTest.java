package dev.weir.server;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.testkit.Effort;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.LongAdder;
import org.junit.jupiter.api.Test;

/**
 * Full load with a reload every second: no request fails, no decision is wrong; over the longer
 * time of a thorough build, nothing piles up. {@code -Dweir.soak.seconds} makes it longer still.
 */
class SoakTest {
  private static final int SECONDS = Effort.of("weir.soak.seconds", 7, 30);
  private static final int CLIENTS = 4;
  private static final int PIPELINED = 16;
  private static final int EXACTLY = 1_000;
  private static final long MAX_GROWTH = 8 << 20;

  private final AtomicBoolean done = new AtomicBoolean();
  private final LongAdder asked = new LongAdder();
  private final LongAdder passed = new LongAdder();

  /** The rule that changes, by which an answer tells its version; and one that stays. */
  private static String rules(String name, long limit) {
    return """
        rules:
          - {name: %s, match: {path: /named}, limit: %d/hour}
          - {name: exact, match: {path: /exact}, limit: %d/day, algorithm: sliding-log}
        """
        .formatted(name, limit, EXACTLY);
  }

  @Test
  void reloadsUnderFullLoadDisturbNoRequest() throws Exception {
    try (TestServer served = TestServer.with(rules("b", 2_000_000_000))) {
      ExecutorService threads = Executors.newFixedThreadPool(CLIENTS);
      List<Future<Long>> clients = new ArrayList<>();
      for (int i = 0; i < CLIENTS; i++) {
        clients.add(threads.submit(() -> load(served.server.port())));
      }
      long bytes = 0;
      int count = 0;
      long start = System.nanoTime();
      for (int second = 1; second <= SECONDS; second++) {
        sleepUntil(start, second);
        reload(served, second);
        assertThat(clients).noneMatch(Future::isDone);
        if (Effort.isThorough() && second == Math.max(1, SECONDS / 3)) {
          bytes = used();
          count = threads();
        }
      }
      long grown = 0;
      if (Effort.isThorough()) {
        grown = used() - bytes;
        // There may be fewer, because threads of other tests end.
        assertThat(threads()).isLessThanOrEqualTo(count);
      }
      done.set(true);
      for (Future<Long> client : clients) {
        assertThat(client.get(60, TimeUnit.SECONDS)).isPositive();
      }
      threads.shutdown();
      // The rest passes now, however slow the machine is.
      while (served.get("/v1/check/exact").statusCode() == 200) {
        passed.increment();
      }
      assertThat(passed.sum()).isEqualTo(EXACTLY);
      assertThat(grown).as("bytes grown").isLessThan(MAX_GROWTH);
      System.out.printf(
          "soak: %d requests in %d s, %d reloads, %d refused, %d KiB more in use%n",
          asked.sum(),
          SECONDS,
          served.watch.status().reloads(),
          served.watch.status().refusals(),
          grown >> 10);
    }
  }

  private static void sleepUntil(long start, int second) throws InterruptedException {
    long left = start + TimeUnit.SECONDS.toNanos(second) - System.nanoTime();
    TimeUnit.NANOSECONDS.sleep(Math.max(0, left));
  }

  /** Switches to the other version; every seventh time a rejected one comes first. */
  private static void reload(TestServer served, int second) throws Exception {
    String name = second % 2 == 0 ? "b" : "a";
    if (second % 7 == 0) {
      long before = served.watch.status().refusals();
      Files.writeString(served.rulesFile, "rules: [{name: broken}]");
      while (served.watch.status().refusals() == before) {
        poll(served);
      }
    }
    long before = served.watch.status().reloads();
    Files.writeString(
        served.rulesFile, rules(name, name.equals("a") ? 1_000_000_000 : 2_000_000_000));
    while (served.watch.status().reloads() == before) {
      poll(served);
    }
    // A request after a reload is decided by the new version.
    var response = served.get("/v1/check/named");
    assertThat(CheckTest.header(response, "RateLimit-Policy")).startsWith("\"" + name + "\";");
  }

  private static void poll(TestServer served) throws InterruptedException {
    served.watch.poll();
    Thread.sleep(20);
  }

  private long load(int port) throws IOException {
    ByteArrayOutputStream batch = new ByteArrayOutputStream();
    String[] paths = {"free", "named", "named", "exact"};
    for (int i = 0; i < PIPELINED; i++) {
      String path = paths[i % paths.length];
      batch.writeBytes(
          ("GET /v1/check/" + path + " HTTP/1.1\r\nHost: h\r\n\r\n").getBytes(US_ASCII));
    }
    long rounds = 0;
    try (RawClient client = new RawClient(port, (int) Duration.ofSeconds(60).toMillis())) {
      for (; !done.get(); rounds++) {
        client.send(batch.toByteArray());
        for (int i = 0; i < PIPELINED; i++) {
          RawClient.Response response = Objects.requireNonNull(client.read(false), "closed");
          judge(paths[i % paths.length], response.status(), client);
        }
        asked.add(PIPELINED);
      }
    }
    return rounds;
  }

  private void judge(String path, int status, RawClient answer) {
    String policy = answer.header("ratelimit-policy");
    switch (path) {
      case "free" -> {
        assertThat(status).isEqualTo(200);
        assertThat(policy).isNull();
      }
      case "named" -> {
        assertThat(status).isEqualTo(200);
        boolean first = "\"a\";q=1000000000;w=3600".equals(policy);
        assertThat(first || "\"b\";q=2000000000;w=3600".equals(policy)).as(policy).isTrue();
        assertThat(answer.header("x-ratelimit-limit"))
            .isEqualTo(first ? "1000000000" : "2000000000");
        assertThat(answer.header("ratelimit")).startsWith(first ? "\"a\";r=" : "\"b\";r=");
      }
      default -> {
        assertThat(policy).isEqualTo("\"exact\";q=" + EXACTLY + ";w=86400");
        assertThat(status).isIn(200, 429);
        if (status == 200) {
          passed.increment();
        }
      }
    }
  }

  private static long used() {
    long min = Long.MAX_VALUE;
    for (int i = 0; i < 10; i++) {
      System.gc();
      Runtime runtime = Runtime.getRuntime();
      // Garbage of new requests counts too: many megabytes in a moment under this load.
      min = Math.min(min, runtime.totalMemory() - runtime.freeMemory());
    }
    return min;
  }

  private static int threads() {
    return ManagementFactory.getThreadMXBean().getThreadCount();
  }
}
