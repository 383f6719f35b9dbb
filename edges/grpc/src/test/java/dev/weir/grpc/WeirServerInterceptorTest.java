package dev.weir.grpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.common.util.concurrent.ListenableFuture;
import com.google.protobuf.StringValue;
import com.google.rpc.ErrorInfo;
import com.google.rpc.RetryInfo;
import dev.weir.http.response.RateLimitHeaders.Family;
import dev.weir.library.RulesLimiter;
import dev.weir.library.Weir;
import dev.weir.library.web.PathScope;
import dev.weir.rules.yaml.RulesText;
import io.grpc.CallOptions;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.MethodDescriptor.MethodType;
import io.grpc.Status;
import io.grpc.Status.Code;
import io.grpc.StatusRuntimeException;
import io.grpc.health.v1.HealthCheckRequest;
import io.grpc.health.v1.HealthCheckResponse.ServingStatus;
import io.grpc.health.v1.HealthGrpc;
import io.grpc.protobuf.services.HealthStatusManager;
import io.grpc.stub.ClientCalls;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What a client sees of a server that counts in its own process. */
@Timeout(120)
class WeirServerInterceptorTest {
  private final Weir weir = Weir.inMemory();

  private WeirServerInterceptor limitedBy(String rules) {
    return WeirServerInterceptor.of(weir.rules(RulesText.of("rules.yaml", rules)));
  }

  @Test
  void callsWithinTheLimitPassAndOthersAreDenied() throws Exception {
    String rules = "rules: [{name: two, match: {path: /test.Echo/**}, limit: 2/hour}]";
    try (RunningServer server = RunningServer.start(new Echo(), limitedBy(rules))) {
      Outcome first = server.call("one");
      assertThat(first.response()).isEqualTo("one");
      assertThat(first.header("x-ratelimit-limit")).isEqualTo("2");
      assertThat(first.header("x-ratelimit-remaining")).isEqualTo("1");
      assertThat(first.header("ratelimit-policy")).contains("two");
      assertThat(server.call("two").code()).isEqualTo(Code.OK);
      Outcome denied = server.call("three");
      assertThat(denied.code()).isEqualTo(Code.RESOURCE_EXHAUSTED);
      assertThat(denied.status().getDescription()).isEqualTo("over the limit of two");
      assertThat(denied.trailer("x-ratelimit-remaining")).isEqualTo("0");
      assertThat(denied.trailer("retry-after")).isNotNull();
      assertThat(denied.trailer("cache-control")).isNull();
      RetryInfo retry = denied.detail(RetryInfo.class).orElseThrow();
      assertThat(retry.getRetryDelay().getSeconds()).isBetween(1_000L, 3_600L);
      ErrorInfo error = denied.detail(ErrorInfo.class).orElseThrow();
      assertThat(error.getReason()).isEqualTo("RATE_LIMIT_EXCEEDED");
      assertThat(error.getMetadataMap()).containsEntry("rule", "two");
    }
  }

  @AfterEach
  void close() {
    weir.close();
  }

  @Test
  void blockedCallersAreDeniedWithoutRetryInfo() throws Exception {
    String rules =
        """
        rules:
          - {name: forbidden, match: {path: /test.Echo/Forbidden}, limit: blocked, blocked-status: 403}
          - {name: closed, match: {path: /test.Echo/Unary}, limit: blocked}
        """;
    try (RunningServer server =
        RunningServer.start(
            new Echo().service("Forbidden"), one -> one, one -> one, limitedBy(rules))) {
      Outcome closed = server.call("x");
      assertThat(closed.code()).isEqualTo(Code.RESOURCE_EXHAUSTED);
      Outcome forbidden = server.call(method("Forbidden"), "x", new Metadata());
      assertThat(forbidden.code()).isEqualTo(Code.PERMISSION_DENIED);
      assertThat(forbidden.status().getDescription()).isEqualTo("blocked by forbidden");
      for (Outcome one : List.of(closed, forbidden)) {
        assertThat(one.detail(RetryInfo.class)).isEmpty();
        assertThat(one.detail(ErrorInfo.class).orElseThrow().getReason())
            .isEqualTo("CALLER_BLOCKED");
        assertThat(one.trailer("grpc-retry-pushback-ms")).isEqualTo("-1");
      }
    }
  }

  private static MethodDescriptor<StringValue, StringValue> method(String name) {
    return Echo.method(name, MethodType.UNARY);
  }

  @Test
  void callThatCostsMoreThanTheLimitIsNotToBeRetried() throws Exception {
    String rules = "rules: [{name: small, limit: 2/hour, cost: 5}]";
    try (RunningServer server = RunningServer.start(new Echo(), limitedBy(rules))) {
      Outcome denied = server.call("x");
      assertThat(denied.code()).isEqualTo(Code.RESOURCE_EXHAUSTED);
      assertThat(denied.detail(RetryInfo.class)).isEmpty();
      assertThat(denied.detail(ErrorInfo.class).orElseThrow().getReason())
          .isEqualTo("COST_ABOVE_LIMIT");
      assertThat(denied.trailer("grpc-retry-pushback-ms")).isEqualTo("-1");
    }
  }

  /** Its own backoff would be too long for the deadline: only the pushback lets it succeed. */
  @Test
  void retryPolicyOfAClientWaitsAsLongAsTheServerSays() throws Exception {
    Map<String, Object> policy =
        Map.of(
            "maxAttempts",
            5.0,
            "initialBackoff",
            "600s",
            "maxBackoff",
            "600s",
            "backoffMultiplier",
            1.0,
            "retryableStatusCodes",
            List.of("RESOURCE_EXHAUSTED"));
    Map<String, Object> config =
        Map.of("methodConfig", List.of(Map.of("name", List.of(Map.of()), "retryPolicy", policy)));
    String rules = "rules: [{name: one, limit: 1/second}]";
    try (RunningServer server =
        RunningServer.start(
            new Echo().service(),
            one -> one,
            channel -> channel.defaultServiceConfig(config).enableRetry(),
            limitedBy(rules))) {
      for (int i = 0; i < 3; i++) {
        assertThat(server.call("call " + i).response()).isEqualTo("call " + i);
      }
    }
  }

  @Test
  void callIsChargedOnceByInterceptorsWithTheSameLimiter() throws Exception {
    RulesLimiter limiter =
        weir.rules(RulesText.of("rules.yaml", "rules: [{name: two, limit: 2/hour}]"));
    RulesLimiter other =
        weir.rules(RulesText.of("other.yaml", "rules: [{name: nine, limit: 9/hour}]"));
    try (RunningServer server =
        RunningServer.start(
            new Echo(),
            WeirServerInterceptor.of(limiter),
            WeirServerInterceptor.of(other),
            WeirServerInterceptor.of(limiter))) {
      assertThat(server.call("one").code()).isEqualTo(Code.OK);
      assertThat(server.call("two").code()).isEqualTo(Code.OK);
      assertThat(server.call("three").code()).isEqualTo(Code.RESOURCE_EXHAUSTED);
    }
  }

  @Test
  void healthIsNotLimitedUnlessTheScopeSaysSo() throws Exception {
    HealthStatusManager health = new HealthStatusManager();
    String rules = "rules: [{name: one, limit: blocked}]";
    RulesLimiter limiter = weir.rules(RulesText.of("rules.yaml", rules));
    HealthCheckRequest request = HealthCheckRequest.getDefaultInstance();
    try (RunningServer server =
        RunningServer.start(
            health.getHealthService().bindService(),
            one -> one,
            one -> one,
            WeirServerInterceptor.of(limiter))) {
      assertThat(HealthGrpc.newBlockingStub(server.channel()).check(request).getStatus())
          .isEqualTo(ServingStatus.SERVING);
    }
    try (RunningServer server =
        RunningServer.start(
            health.getHealthService().bindService(),
            one -> one,
            one -> one,
            WeirServerInterceptor.builder(limiter).scope(PathScope.ALL).build())) {
      assertThatThrownBy(() -> HealthGrpc.newBlockingStub(server.channel()).check(request))
          .isInstanceOf(StatusRuntimeException.class)
          .hasMessageContaining("RESOURCE_EXHAUSTED");
    }
  }

  @Test
  void concurrentCallsGetExactlyTheLimit() throws Exception {
    String rules = "rules: [{name: fifty, limit: 50/hour, algorithm: fixed-window}]";
    try (RunningServer server = RunningServer.start(new Echo(), limitedBy(rules))) {
      List<ListenableFuture<StringValue>> calls = new ArrayList<>();
      for (int i = 0; i < 200; i++) {
        calls.add(
            ClientCalls.futureUnaryCall(
                server.channel().newCall(Echo.UNARY, CallOptions.DEFAULT), Echo.text("x")));
      }
      int passed = 0;
      for (ListenableFuture<StringValue> call : calls) {
        try {
          assertThat(call.get(60, TimeUnit.SECONDS).getValue()).isEqualTo("x");
          passed++;
        } catch (ExecutionException e) {
          assertThat(Status.fromThrowable(e).getCode()).isEqualTo(Code.RESOURCE_EXHAUSTED);
        }
      }
      assertThat(passed).isEqualTo(50);
    }
  }

  @Test
  void everyMethodOfManyIsLimited() throws Exception {
    String[] names = new String[300];
    Arrays.setAll(names, i -> "Method" + i);
    String rules = "rules: [{name: one, per: path, limit: 1/hour}]";
    try (RunningServer server =
        RunningServer.start(new Echo().service(names), one -> one, one -> one, limitedBy(rules))) {
      for (String name : names) {
        assertThat(server.call(method(name), "x", new Metadata()).code()).isEqualTo(Code.OK);
      }
      assertThat(server.call(method(names[7]), "x", new Metadata()).code())
          .isEqualTo(Code.RESOURCE_EXHAUSTED);
    }
  }

  @Test
  void headersCanBeLeftOut() throws Exception {
    RulesLimiter limiter =
        weir.rules(RulesText.of("rules.yaml", "rules: [{name: one, limit: 1/hour}]"));
    WeirServerInterceptor interceptor =
        WeirServerInterceptor.builder(limiter).headers(Set.of(Family.IETF)).build();
    try (RunningServer server = RunningServer.start(new Echo(), interceptor)) {
      Outcome passed = server.call("x");
      assertThat(passed.header("ratelimit")).isNotNull();
      assertThat(passed.header("x-ratelimit-limit")).isNull();
      Outcome denied = server.call("x");
      assertThat(denied.trailer("ratelimit")).isNotNull();
      assertThat(denied.trailer("retry-after")).isNull();
    }
  }

  @Test
  @SuppressWarnings("NullAway") // callers may not check
  void nullIsRejected() {
    assertThatThrownBy(() -> WeirServerInterceptor.of(null))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("limiter: null (expected: a value)");
    assertThatThrownBy(() -> WeirServerInterceptor.builder(null))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
