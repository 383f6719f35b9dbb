package dev.weir.examples.plain;

import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.mapping;
import static java.util.stream.Collectors.toList;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.library.Weir;
import dev.weir.testkit.Repository;
import dev.weir.testkit.redis.Await;
import dev.weir.testkit.redis.RedisServer;
import dev.weir.testkit.time.ManualTicker;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The server with its own limits. */
@Timeout(120)
class LimitedServerTest {
  private static final Path LIMITS = Repository.path("examples/plain-java/limits.yaml");
  private static final Duration SOON = Duration.ofSeconds(60);

  private final HttpClient client = HttpClient.newHttpClient();
  private final ManualTicker clock = ManualTicker.at(Duration.ofHours(500_000));
  private final CountDownLatch mayFinish = new CountDownLatch(1);
  private final AtomicInteger reporting = new AtomicInteger();

  private LimitedServer serve(Weir weir) throws Exception {
    return new LimitedServer(weir, weir.rules(LIMITS), 0, this::report);
  }

  private void report() {
    reporting.incrementAndGet();
    try {
      assertThat(mayFinish.await(100, TimeUnit.SECONDS)).isTrue();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private CompletableFuture<HttpResponse<String>> ask(
      LimitedServer server, String path, String... headers) {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + server.port() + path))
            .timeout(SOON);
    if (headers.length > 0) {
      request.headers(headers);
    }
    return client.sendAsync(request.build(), BodyHandlers.ofString());
  }

  private CompletableFuture<HttpResponse<String>> askAs(
      String user, LimitedServer server, String path) {
    return ask(server, path, "X-User-Id", user);
  }

  @Test
  void quotesAreLimitedByUser() throws Exception {
    try (Weir weir = Weir.builder().ticker(clock).build();
        LimitedServer server = serve(weir)) {
      for (int left = 4; left >= 0; left--) {
        HttpResponse<String> quote = askAs("ann", server, "/quote").join();
        assertThat(quote.body()).isEqualTo("a quote for ann, " + left + " left\n");
        assertThat(quote.statusCode()).isEqualTo(200);
      }
      HttpResponse<String> denied = askAs("ann", server, "/quote").join();
      assertThat(denied.statusCode()).isEqualTo(429);
      assertThat(denied.body()).isEqualTo("too many quotes\n");
      assertThat(denied.headers().firstValue("Retry-After")).contains("1");
      assertThat(askAs("bob", server, "/quote").join().statusCode()).isEqualTo(200);
      assertThat(ask(server, "/quote").join().statusCode()).isEqualTo(400);
      clock.advance(Duration.ofMillis(500));
      assertThat(askAs("ann", server, "/quote").join().statusCode()).isEqualTo(200);
    }
  }

  @Test
  void mailsWaitForTheirTurnButNotTooLong() throws Exception {
    try (Weir weir = Weir.inMemory();
        LimitedServer server = serve(weir)) {
      // One passes, some wait; all would take half a minute.
      List<CompletableFuture<HttpResponse<String>>> mails = new ArrayList<>();
      for (int i = 0; i < 60; i++) {
        mails.add(askAs("ann", server, "/mail"));
      }
      List<HttpResponse<String>> answers = mails.stream().map(CompletableFuture::join).toList();
      Map<Integer, List<String>> bodies =
          answers.stream()
              .collect(groupingBy(HttpResponse::statusCode, mapping(HttpResponse::body, toList())));
      assertThat(bodies).containsOnlyKeys(200, 429);
      assertThat(bodies.get(200)).hasSizeGreaterThan(1).containsOnly("mail to ann is sent\n");
      assertThat(bodies.get(429)).containsOnly("too many mails\n");
    }
  }

  @Test
  void twoServersOnOneRedisRunTwoReportsOfAUserAtATime() throws Exception {
    try (RedisServer redis = RedisServer.start();
        Weir one = Weir.redis(redis.url()).deadline(SOON).build();
        Weir two = Weir.redis(redis.url()).deadline(SOON).build();
        LimitedServer here = serve(one);
        LimitedServer there = serve(two)) {
      Await.until("joined", SOON, () -> one.store().answering() && two.store().answering());
      CompletableFuture<HttpResponse<String>> first = askAs("ann", here, "/report");
      CompletableFuture<HttpResponse<String>> second = askAs("ann", there, "/report");
      Await.until("both run", SOON, () -> reporting.get() == 2);
      HttpResponse<String> third = askAs("ann", here, "/report").join();
      assertThat(third.statusCode()).isEqualTo(429);
      assertThat(third.body()).isEqualTo("too many reports for ann at a time\n");
      mayFinish.countDown();
      assertThat(first.join().body()).isEqualTo("a report for ann\n");
      assertThat(second.join().statusCode()).isEqualTo(200);
      assertThat(askAs("ann", there, "/report").join().statusCode()).isEqualTo(200);
    }
  }
}
