package dev.weir.testkit.examples;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.testkit.redis.Await;
import dev.weir.testkit.redis.RedisServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What every form of the ride-hailing example does with a real Redis, and without it. */
@Timeout(300)
public abstract class RedisContract {
  private static final Duration SOON = Duration.ofSeconds(60);
  private static final int AT_ONCE = 160;

  private final Class<?> application;

  /** The contract of an application. */
  protected RedisContract(Class<?> application) {
    this.application = application;
  }

  private RunningExample start(RedisServer redis, String deadline) {
    return RunningExample.start(
        application, "--weir.store.url=" + redis.url(), "--weir.store.deadline=" + deadline);
  }

  private static String degraded(HttpResponse<?> response) {
    return response.headers().firstValue("Weir-Degraded").orElse("no");
  }

  private static List<HttpResponse<String>> atOnce(
      int count, Endpoint endpoint, RunningExample... apps) {
    List<CompletableFuture<HttpResponse<String>>> sent = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      sent.add(apps[i % apps.length].sendAsync(endpoint, "ann"));
    }
    return sent.stream().map(CompletableFuture::join).toList();
  }

  private static long count(List<HttpResponse<String>> answers, int status) {
    return answers.stream().filter(answer -> answer.statusCode() == status).count();
  }

  /** The deadline is long, so that no busy machine lets the instances count alone. */
  @Test
  void twoInstancesOnOneRedisEnforceOneLimit() {
    try (RedisServer redis = RedisServer.start();
        RunningExample one = start(redis, "60s");
        RunningExample other = start(redis, "60s")) {
      Await.until("both joined", SOON, () -> one.countsInStore() && other.countsInStore());
      List<HttpResponse<String>> trips = atOnce(AT_ONCE, Endpoint.TRIP_HISTORY, one, other);
      assertThat(trips).extracting(RedisContract::degraded).containsOnly("no");
      assertThat(count(trips, 200)).isEqualTo(100);
      assertThat(count(trips, 429)).isEqualTo(AT_ONCE - 100);

      long start = System.nanoTime();
      List<HttpResponse<String>> rides = atOnce(AT_ONCE, Endpoint.RIDE_REQUESTS, one, other);
      long seconds = TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - start) + 1;
      assertThat(count(rides, 200)).isBetween(10L, 10 + 5 * seconds);
      assertThat(count(rides, 200) + count(rides, 429)).isEqualTo(AT_ONCE);
    }
  }

  @Test
  void rulesDecideWhileRedisIsDownFromTheStartAndWhileItHangs() throws Exception {
    try (RedisServer redis = RedisServer.start()) {
      redis.kill();
      try (RunningExample app = start(redis, "500ms")) {
        assertModesDecide(app);
        redis.restart();
        Await.until("joined", SOON, () -> !isDegraded(app));
        redis.pause(); // connections stay open: only the deadline ends the wait
        assertModesDecide(app);
        redis.resume();
        Await.until("back", SOON, () -> !isDegraded(app));
      }
    }
  }

  private static boolean isDegraded(RunningExample app) {
    try {
      return !degraded(app.send(Endpoint.NEARBY_DRIVERS, "zoe")).equals("no");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private static void assertModesDecide(RunningExample app) throws Exception {
    for (Endpoint open : List.of(Endpoint.NEARBY_DRIVERS, Endpoint.TRIP_HISTORY)) {
      List<HttpResponse<String>> answers = atOnce(AT_ONCE, open, app);
      assertThat(answers).extracting(HttpResponse::statusCode).containsOnly(200);
      assertThat(answers).extracting(RedisContract::degraded).containsOnly("allow");
    }
    HttpResponse<String> shut = app.send(Endpoint.ZONE_STATS, "ann");
    assertThat(shut.statusCode()).isEqualTo(503);
    assertThat(degraded(shut)).isEqualTo("deny");
    assertThat(shut.headers().firstValue("Retry-After")).contains("1");
    assertThat(shut.headers().firstValue("Content-Type").orElseThrow())
        .startsWith("application/problem+json");

    HttpResponse<String> location = app.send(Endpoint.DRIVER_LOCATIONS, "dee");
    assertThat(location.statusCode()).isEqualTo(204);
    assertThat(degraded(location)).isEqualTo("local");
    for (Endpoint local : List.of(Endpoint.RIDE_REQUESTS, Endpoint.FARE_ESTIMATES)) {
      long start = System.nanoTime();
      List<HttpResponse<String>> answers = atOnce(AT_ONCE, local, app);
      long seconds = TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - start) + 1;
      assertThat(answers).extracting(RedisContract::degraded).containsOnly("local");
      assertThat(count(answers, 200)).isBetween(1L, 10 + 5 * seconds);
      assertThat(count(answers, 200) + count(answers, 429)).isEqualTo(AT_ONCE);
    }
  }
}
