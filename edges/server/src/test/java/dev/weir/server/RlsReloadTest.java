package dev.weir.server;

import static dev.weir.server.RlsClient.about;
import static dev.weir.server.RlsClient.remaining;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.testkit.redis.Await;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitResponse;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The configuration changes under load. */
@Timeout(300)
class RlsReloadTest extends RlsContract {
  private static final int CHANGES = 6;

  RlsReloadTest() {
    super(allowing(5));
  }

  private static String allowing(int requests) {
    return """
        domain: shop
        descriptors:
          - {key: user, rate_limit: {unit: year, requests_per_unit: %d}}
          - {key: stays, rate_limit: {unit: year, requests_per_unit: 7}}
        """
        .formatted(requests);
  }

  /** Changes the file, and waits until it is active or refused. */
  private static void change(TestServer served, String yaml) {
    long before = served.watch.status().reloads() + served.watch.status().refusals();
    try {
      Files.writeString(served.rulesFile, yaml);
      while (served.watch.status().reloads() + served.watch.status().refusals() == before) {
        Thread.sleep(5);
        served.watch.poll();
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Test
  void countersSurviveAChangeOfTheLimit() {
    try (TestServer served = serve(allowing(5));
        RlsCaller other = client(served)) {
      other.ask(about("user", me));
      assertThat(remaining(other.ask(about("user", me)))).containsExactly(3);
      change(served, allowing(9));
      RateLimitResponse reply = other.ask(about("user", me));
      assertThat(remaining(reply)).containsExactly(6);
      assertThat(reply.getStatuses(0).getCurrentLimit().getRequestsPerUnit()).isEqualTo(9);
      change(served, allowing(2));
      assertThat(codes(other.ask(about("user", me)))).containsExactly(OVER, OVER);
    }
  }

  @Test
  void invalidConfigurationChangesNothing() {
    try (TestServer served = serve(allowing(5));
        RlsCaller other = client(served)) {
      change(served, allowing(9).replace("unit: year", "unit: eon"));
      assertThat(served.watch.status().refusals()).isPositive();
      assertThat(remaining(other.ask(about("user", me)))).containsExactly(4);
    }
  }

  @Test
  void removedLimitNoLongerApplies() {
    try (TestServer served = serve(allowing(5));
        RlsCaller other = client(served)) {
      change(served, allowing(5).replace("key: user", "key: other"));
      assertThat(other.ask(about("user", me)).getStatuses(0).hasCurrentLimit()).isFalse();
      assertThat(remaining(other.ask(about("other", me)))).containsExactly(4);
      change(served, allowing(0).replace("shop", "elsewhere"));
      assertThat(codes(other.ask(about("user", me)))).containsExactly(OK, OK);
    }
  }

  @Test
  void underLoadEveryRequestIsDecidedByOneVersionAndNoneIsLost() {
    try (TestServer served = serve(allowing(1_000_000));
        RlsCaller other = client(served)) {
      AtomicBoolean done = new AtomicBoolean();
      AtomicInteger answered = new AtomicInteger();
      CompletableFuture<Integer> traffic =
          CompletableFuture.supplyAsync(() -> load(other, done, answered));
      for (int i = 1; i <= CHANGES; i++) {
        change(served, allowing(i % 2 == 0 ? 1_000_000 : 2_000_000));
        awaitMoreThan(answered.get(), answered, traffic);
      }
      done.set(true);
      int sent = traffic.join();
      assertThat(sent).isGreaterThan(CHANGES);
      assertThat(remaining(other.ask(about("user", me)))).containsExactly(1_000_000 - sent - 1);
    }
  }

  /** Waits for another answer, so that there are some between two changes. */
  private static void awaitMoreThan(
      int before, AtomicInteger answered, CompletableFuture<Integer> traffic) {
    Await.until(
        "another answer", Duration.ofMinutes(1), () -> answered.get() > before || traffic.isDone());
  }

  private int load(RlsCaller other, AtomicBoolean done, AtomicInteger answered) {
    int sent = 0;
    while (!done.get()) {
      RateLimitResponse reply = other.ask(about("user", me), about("stays", me));
      sent++;
      answered.set(sent);
      int limit = reply.getStatuses(0).getCurrentLimit().getRequestsPerUnit();
      assertThat(limit).isIn(1_000_000, 2_000_000);
      assertThat(remaining(reply)).containsExactly(limit - sent, Math.max(0, 7 - sent));
      assertThat(reply.getOverallCode()).isEqualTo(sent > 7 ? OVER : OK);
    }
    return sent;
  }
}
