package dev.weir.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/** Rules are reloaded under load without failed requests. */
class ReloadTest {
  private static final int RELOADS = 20;
  private static final int CLIENTS = 4;

  private static String rules(String name, long limit) {
    return "identity: {key: header X-Key}\n"
        + "rules:\n"
        + "  - {name: "
        + name
        + ", per: key, limit: "
        + limit
        + "/hour}\n"
        + "  - {name: lone, match: {path: /lone}, per: key, limit: 3/day}\n"
        + "lint-ignore: forgeable-key\n";
  }

  @Test
  void everyRequestIsAnsweredByOneVersionOfTheRules() throws Exception {
    try (TestServer served = TestServer.with(rules("odd", 1_000_000))) {
      AtomicBoolean done = new AtomicBoolean();
      ExecutorService threads = Executors.newFixedThreadPool(CLIENTS);
      List<Future<Long>> clients = new ArrayList<>();
      for (int i = 0; i < CLIENTS; i++) {
        String key = "client-" + i;
        clients.add(threads.submit(() -> load(served, key, done)));
      }
      for (int i = 1; i <= RELOADS; i++) {
        Files.writeString(
            served.rulesFile, i % 2 == 0 ? rules("odd", 1_000_000) : rules("even", 2_000_000));
        served.watch.poll();
        while (served.watch.status().reloads() < i) {
          Thread.sleep(20);
          served.watch.poll();
        }
      }
      done.set(true);
      for (Future<Long> client : clients) {
        assertThat(client.get()).isGreaterThan(RELOADS);
      }
      threads.shutdown();
      assertThat(served.watch.status().refusals()).isZero();
      // A rule that stayed as it was kept its counters.
      for (int i = 0; i < CLIENTS; i++) {
        assertThat(lone(served, "client-" + i)).isEqualTo(429);
      }
    }
  }

  private static long load(TestServer served, String key, AtomicBoolean done) {
    int passed = 0;
    long asked = 0;
    for (; !done.get(); asked++) {
      HttpResponse<String> response = served.get("/v1/check/", "X-Key", key);
      assertThat(response.statusCode()).isEqualTo(200);
      long limit = Long.parseLong(CheckTest.header(response, "X-RateLimit-Limit"));
      long left = Long.parseLong(CheckTest.header(response, "X-RateLimit-Remaining"));
      String name = limit == 1_000_000 ? "odd" : "even";
      assertThat(CheckTest.header(response, "RateLimit-Policy"))
          .isEqualTo(
              "\"" + name + "\";q=" + (name.equals("odd") ? 1_000_000 : 2_000_000) + ";w=3600");
      assertThat(CheckTest.header(response, "RateLimit"))
          .startsWith("\"" + name + "\";r=" + left + ";t=");
      assertThat(left).isLessThan(limit).isGreaterThan(limit - 1_000_000);
      passed += lone(served, key) == 200 ? 1 : 0;
      assertThat(passed).isLessThanOrEqualTo(3);
    }
    assertThat(passed).isEqualTo(3);
    return asked;
  }

  private static int lone(TestServer served, String key) {
    return served.get("/v1/check/lone", "X-Key", key).statusCode();
  }
}
