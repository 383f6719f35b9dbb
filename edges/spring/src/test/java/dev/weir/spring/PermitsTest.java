package dev.weir.spring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.library.RulesLimiter;
import dev.weir.library.WebRequest;
import dev.weir.library.web.Admission;
import dev.weir.spring.Apps.Running;
import dev.weir.testkit.redis.Await;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.http.MediaType;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;
import reactor.core.publisher.Flux;

/** A request holds its permit until it is over, however it ends, and gives it back once. */
@Timeout(180)
class PermitsTest {
  private static final Duration SOON = Duration.ofSeconds(30);
  private static final WebRequest PROBE = WebRequest.of("GET", "/probe");
  private static final SharedApps APPS = new SharedApps(properties(), Work.class);

  private final Http http = new Http();

  /** Work that a test ends. */
  @RestController
  static class Work {
    final BlockingQueue<CompletableFuture<String>> begun = new LinkedBlockingQueue<>();

    @GetMapping("/held")
    CompletableFuture<String> held() {
      CompletableFuture<String> result = new CompletableFuture<>();
      begun.add(result);
      return result;
    }

    @GetMapping("/failing")
    String failing() {
      throw new IllegalStateException("on purpose");
    }

    @GetMapping(path = "/stream", produces = MediaType.TEXT_EVENT_STREAM_VALUE)
    Flux<String> stream() {
      return Flux.interval(Duration.ofMillis(1))
          .onBackpressureDrop()
          .map(tick -> "x".repeat(1_000));
    }

    CompletableFuture<String> next() throws InterruptedException {
      CompletableFuture<String> result = begun.poll(30, TimeUnit.SECONDS);
      assertThat(result).as("a request that has begun").isNotNull();
      return result;
    }
  }

  private static Map<String, String> properties() {
    Map<String, String> all = new HashMap<>();
    all.put("weir.limits.busy.concurrent", "2");
    all.put("weir.limits.busy.expires", "1 hour");
    all.put("weir.limits.count.limit", "10000/hour");
    all.put("weir.limits.count.algorithm", "fixed-window");
    all.put("weir.lint-ignore", "needs-release");
    return all;
  }

  @AfterAll
  static void stop() {
    APPS.close();
  }

  /** How many permits are free; takes all of them for a moment. */
  private static int free(Running app) {
    RulesLimiter limiter = app.context().getBean(RulesLimiter.class);
    List<Admission> taken = new ArrayList<>();
    Admission next = limiter.admit(PROBE);
    while (next.allowed()) {
      taken.add(next);
      next = limiter.admit(PROBE);
    }
    taken.forEach(Admission::giveBack);
    return taken.size();
  }

  /** How many requests were charged. */
  private static long charged(Running app) {
    Admission probe = app.context().getBean(RulesLimiter.class).admit(PROBE);
    long left = probe.decision().orElseThrow().each().get(1).remaining();
    probe.giveBack();
    return 9_999 - left;
  }

  private static void awaitFree(Running app, int permits) {
    Await.until(permits + " permits are free", SOON, () -> free(app) == permits);
  }

  @ParameterizedTest
  @EnumSource
  void permitIsHeldUntilTheResponseIsComplete(Setup setup) throws Exception {
    Running app = APPS.of(setup);
    Work work = app.context().getBean(Work.class);
    CompletableFuture<HttpResponse<String>> one = http.getAsync(app, "/held");
    CompletableFuture<HttpResponse<String>> two = http.getAsync(app, "/held");
    CompletableFuture<String> first = work.next();
    CompletableFuture<String> second = work.next();
    HttpResponse<String> denied = http.get(app, "/hello");
    assertThat(denied.statusCode()).isEqualTo(429);
    assertThat(denied.body()).contains("busy");
    first.complete("done");
    second.completeExceptionally(new IllegalStateException("on purpose"));
    List<Integer> statuses = List.of(one.get().statusCode(), two.get().statusCode());
    assertThat(statuses).containsExactlyInAnyOrder(200, 500);
    awaitFree(app, 2);
  }

  @ParameterizedTest
  @EnumSource
  void permitIsFreeAfterAnException(Setup setup) throws Exception {
    Running app = APPS.of(setup);
    long before = charged(app);
    for (int i = 0; i < 3; i++) {
      assertThat(http.get(app, "/failing").statusCode()).isEqualTo(500);
      awaitFree(app, 2);
    }
    assertThat(charged(app)).as("the work was done").isEqualTo(before + 3);
  }

  @ParameterizedTest
  @EnumSource
  void permitIsFreeAfterTheClientHasGone(Setup setup) throws Exception {
    Running app = APPS.of(setup);
    Work work = app.context().getBean(Work.class);
    CompletableFuture<HttpResponse<String>> other = http.getAsync(app, "/held");
    CompletableFuture<String> held = work.next();
    for (int i = 0; i < 2; i++) {
      try (Socket client = send(app, "/stream")) {
        readUntilData(client);
        assertThat(free(app)).isZero();
      }
      awaitFree(app, 1);
    }
    held.complete("done");
    assertThat(other.get().statusCode()).isEqualTo(200);
    awaitFree(app, 2);
  }

  /** A servlet container notices that the client has gone when it writes. */
  @ParameterizedTest
  @EnumSource
  void permitIsFreeAfterTheClientOfAnAsynchronousRequestHasGone(Setup setup) throws Exception {
    Running app = APPS.of(setup);
    Work work = app.context().getBean(Work.class);
    CompletableFuture<String> held;
    try (Socket client = send(app, "/held")) {
      held = work.next();
      assertThat(free(app)).isEqualTo(1);
      assertThat(client.isConnected()).isTrue();
    }
    if (!setup.isReactive()) {
      held.complete("done");
    }
    awaitFree(app, 2);
  }

  /** Reads until the stream has begun: a container may not yet be ready for a client that goes. */
  private static void readUntilData(Socket client) throws IOException {
    StringBuilder read = new StringBuilder();
    while (!read.toString().endsWith("data:")) {
      int next = client.getInputStream().read();
      assertThat(next).as(read.toString()).isNotNegative();
      read.append((char) next);
    }
  }

  static Socket send(Running app, String path) throws IOException {
    Socket client = new Socket(InetAddress.getByName("localhost"), app.port());
    client.setSoTimeout(60_000);
    String request = "GET " + path + " HTTP/1.1\r\nHost: localhost\r\n\r\n";
    client.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
    client.getOutputStream().flush();
    return client;
  }
}
