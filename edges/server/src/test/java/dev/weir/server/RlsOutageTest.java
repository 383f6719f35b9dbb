package dev.weir.server;

import static dev.weir.rules.domain.TestDomains.at;
import static dev.weir.server.RlsClient.about;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.util.concurrent.Futures;
import com.google.common.util.concurrent.ListenableFuture;
import dev.weir.redis.RedisStore;
import dev.weir.redis.connection.RedisSettings;
import dev.weir.rule.FailureMode;
import dev.weir.rules.domain.DomainBook;
import dev.weir.rules.domain.TestDomains;
import dev.weir.rules.domain.Unit;
import dev.weir.server.settings.ServerSettings;
import dev.weir.testkit.Effort;
import dev.weir.testkit.redis.RedisServer;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitRequest;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitResponse;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitResponse.Code;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitServiceGrpc;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitServiceGrpc.RateLimitServiceFutureStub;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Redis fails while calls continue over one connection. */
@Timeout(300)
class RlsOutageTest {
  private static final int CALLS = 450;
  private static final long PAUSE_NANOS = 4_000_000;
  private static final int LOCAL = 40;
  private static final int PLENTY = 1_000_000;

  /**
   * The default where time is judged: only the machine or the client can delay an answer further.
   * Elsewhere long enough for a busy machine.
   */
  private static final Duration DEADLINE = Duration.ofMillis(Effort.of(250, 25));

  private static RedisStore connect(RedisServer redis) {
    String deadline = "?deadline=" + DEADLINE.toMillis() + "ms";
    return RedisStore.connect(RedisSettings.parse(redis.url() + deadline));
  }

  private static final DomainBook DOMAINS =
      TestDomains.book(
          "shop",
          at("allow").per(PLENTY, Unit.DAY),
          at("deny").per(PLENTY, Unit.DAY).whenStoreFails(FailureMode.DENY),
          at("local").per(LOCAL, Unit.DAY).whenStoreFails(FailureMode.LOCAL));

  /** How Redis fails. */
  enum Failure {
    KILLED {
      @Override
      void on(RedisServer redis) {
        redis.kill();
      }
    },
    HANGING {
      @Override
      void on(RedisServer redis) {
        redis.pause();
      }
    };

    abstract void on(RedisServer redis);
  }

  private record Answer(String key, Code code, long nanos) {}

  @ParameterizedTest
  @EnumSource
  void everyCallIsDecidedByTheFailureModeOfItsRule(Failure failure) throws Exception {
    try (RedisServer redis = RedisServer.start();
        RedisStore store = connect(redis);
        TestServer served = TestServer.with("rules: []", ServerSettings.DEFAULT, store, DOMAINS);
        RlsClient client = new RlsClient(served.server.grpcPort())) {
      ask(client, "first");
      List<Answer> before = ask(client, "before");
      assertThat(codes(before, "allow")).containsOnlyKeys(Code.OK);
      assertThat(codes(before, "deny").getOrDefault(Code.OK, 0L))
          .as("nearly all, even if the machine is busy")
          .isGreaterThan(CALLS / 6);
      failure.on(redis);
      List<Answer> during = ask(client, "during");
      assertThat(during).as("none is lost").hasSize(CALLS);
      assertThat(codes(during, "allow")).containsOnlyKeys(Code.OK);
      assertThat(codes(during, "deny").get(Code.OVER_LIMIT))
          .as("all, but for those that were counted at the very beginning")
          .isGreaterThan(CALLS / 3 - 20);
      assertThat(codes(during, "local").get(Code.OK)).isBetween((long) LOCAL, 2L * LOCAL);
      checkLatency(failure, before, during);
      if (failure == Failure.HANGING) {
        redis.resume();
      }
    }
  }

  private static Map<Code, Long> codes(List<Answer> answers, String key) {
    Map<Code, Long> codes = new EnumMap<>(Code.class);
    answers.stream()
        .filter(answer -> answer.key.equals(key))
        .forEach(answer -> codes.merge(answer.code, 1L, Long::sum));
    return codes;
  }

  /** Calls at a fixed rate, so that none waits for another. */
  private static List<Answer> ask(RlsClient client, String value) throws Exception {
    RateLimitServiceFutureStub stub = RateLimitServiceGrpc.newFutureStub(client.channel);
    List<Answer> answers = Collections.synchronizedList(new ArrayList<>());
    List<ListenableFuture<RateLimitResponse>> all = new ArrayList<>();
    String[] keys = {"allow", "deny", "local"};
    long due = System.nanoTime();
    for (int i = 0; i < CALLS; i++) {
      String key = keys[i % keys.length];
      RateLimitRequest request = RlsClient.request(about(key, value)).build();
      long start = System.nanoTime();
      ListenableFuture<RateLimitResponse> call =
          stub.withDeadlineAfter(60, TimeUnit.SECONDS).shouldRateLimit(request);
      call.addListener(
          () -> {
            Code code = Futures.getUnchecked(call).getOverallCode();
            answers.add(new Answer(key, code, System.nanoTime() - start));
          },
          Runnable::run);
      all.add(call);
      due += PAUSE_NANOS;
      LockSupport.parkNanos(due - System.nanoTime());
    }
    Futures.allAsList(all).get(120, TimeUnit.SECONDS);
    return answers;
  }

  /**
   * Compares the median time with that before the failure, since a busy machine may delay single
   * answers.
   */
  private static void checkLatency(Failure failure, List<Answer> before, List<Answer> during) {
    System.out.printf(
        "%s: before p50 %.1f ms, p99 %.1f ms; during p50 %.1f ms, p99 %.1f ms, slowest %.1f ms%n",
        failure,
        millis(before, 0.5),
        millis(before, 0.99),
        millis(during, 0.5),
        millis(during, 0.99),
        millis(during, 1));
    if (Effort.isThorough()) {
      double max = DEADLINE.toMillis() + 5;
      assertThat(millis(during, 0.5) - millis(before, 0.5)).isLessThan(max);
      assertThat(millis(during, 0.9) - millis(before, 0.9)).isLessThan(max + 50);
    }
  }

  private static double millis(List<Answer> answers, double share) {
    List<Long> sorted = answers.stream().map(Answer::nanos).sorted().toList();
    int at = Math.min(sorted.size() - 1, (int) (sorted.size() * share));
    return sorted.get(at) / 1e6;
  }

  @Test
  void countersSurviveTheOutage() throws Exception {
    try (RedisServer redis = RedisServer.start();
        RedisStore store = connect(redis);
        TestServer served = TestServer.with("rules: []", ServerSettings.DEFAULT, store, DOMAINS);
        RlsClient client = new RlsClient(served.server.grpcPort())) {
      client.ask(about("deny", "b"));
      redis.pause();
      assertThat(client.ask(about("deny", "b")).getOverallCode()).isEqualTo(Code.OVER_LIMIT);
      redis.resume();
      long end = System.nanoTime() + Duration.ofSeconds(60).toNanos();
      RateLimitResponse last = client.ask(about("deny", "b"));
      while (last.getOverallCode() != Code.OK) {
        assertThat(System.nanoTime()).isLessThan(end);
        last = client.ask(about("deny", "b"));
      }
      assertThat(last.getStatuses(0).getLimitRemaining()).isBetween(PLENTY - 500, PLENTY - 2);
    }
  }
}
