package dev.weir.grpc;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.util.concurrent.ListenableFuture;
import com.google.protobuf.StringValue;
import com.google.rpc.ErrorInfo;
import com.google.rpc.RetryInfo;
import dev.weir.library.RulesLimiter;
import dev.weir.library.WebRequest;
import dev.weir.library.Weir;
import dev.weir.library.web.Admission;
import dev.weir.rules.yaml.RulesText;
import dev.weir.testkit.redis.Await;
import dev.weir.testkit.redis.RedisServer;
import io.grpc.CallOptions;
import io.grpc.ClientCall;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.MethodDescriptor.MethodType;
import io.grpc.ServerServiceDefinition;
import io.grpc.Status.Code;
import io.grpc.netty.shaded.io.netty.channel.nio.NioEventLoopGroup;
import io.grpc.netty.shaded.io.netty.channel.socket.nio.NioServerSocketChannel;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.StreamObserver;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Servers that count in a real Redis: together, without it, and while it does not answer. */
@Timeout(180)
class SharedStoreTest {
  private static final Duration SOON = Duration.ofSeconds(60);

  private static final String MODES =
      """
      rules:
        - {name: open, match: {path: /test.Echo/Open}, limit: 2/hour, when-store-fails: allow}
        - {name: shut, match: {path: /test.Echo/Shut}, limit: 2/hour, when-store-fails: deny}
        - {name: local, match: {path: /test.Echo/Local}, limit: 2/hour, when-store-fails: local}
      """;

  private static final String BUSY =
      """
      lint-ignore: needs-release
      rules:
        - {name: busy, match: {path: /test.Echo/*am}, concurrent: 1, expires: 1 hour}
        - {name: busy-bidi, match: {path: /test.Echo/Bidi}, concurrent: 1, expires: 1 hour}
      """;

  private static Weir patient(RedisServer redis) {
    return Weir.redis(redis.url()).deadline(Duration.ofSeconds(60)).build();
  }

  private static RulesLimiter rules(Weir weir, String text) {
    return weir.rules(RulesText.of("rules.yaml", text));
  }

  private static MethodDescriptor<StringValue, StringValue> method(String name) {
    return Echo.method(name, MethodType.UNARY);
  }

  private static Outcome call(RunningServer server, String method) {
    return server.call(method(method), "x", new Metadata());
  }

  private static RunningServer start(Weir weir) throws Exception {
    ServerServiceDefinition service = new Echo().service("Open", "Shut", "Local");
    WeirServerInterceptor interceptor = WeirServerInterceptor.of(rules(weir, MODES));
    return RunningServer.start(service, one -> one, one -> one, interceptor);
  }

  @Test
  void serversOnOneRedisCountTogether() throws Exception {
    try (RedisServer redis = RedisServer.start();
        Weir one = patient(redis);
        Weir other = patient(redis);
        RunningServer here = start(one);
        RunningServer there = start(other)) {
      assertThat(call(here, "Shut").code()).isEqualTo(Code.OK);
      assertThat(call(there, "Shut").code()).isEqualTo(Code.OK);
      assertThat(call(here, "Shut").code()).isEqualTo(Code.RESOURCE_EXHAUSTED);
      assertThat(call(there, "Shut").code()).isEqualTo(Code.RESOURCE_EXHAUSTED);
    }
  }

  @Test
  void concurrentCallsGetExactlyTheLimit() throws Exception {
    try (RedisServer redis = RedisServer.start();
        Weir weir = patient(redis);
        RunningServer server =
            RunningServer.start(
                new Echo(),
                WeirServerInterceptor.of(
                    rules(weir, "rules: [{name: n, limit: 50/hour, algorithm: fixed-window}]")))) {
      List<Responses> calls = new ArrayList<>();
      for (int i = 0; i < 200; i++) {
        Responses responses = new Responses();
        calls.add(responses);
        ClientCalls.asyncUnaryCall(
            server.channel().newCall(Echo.UNARY, CallOptions.DEFAULT), Echo.text("x"), responses);
      }
      int passed = 0;
      for (Responses responses : calls) {
        passed += responses.code() == Code.OK ? 1 : 0;
      }
      assertThat(passed).isEqualTo(50);
    }
  }

  @Test
  void failureModesDecideWhileRedisIsGone() throws Exception {
    try (RedisServer redis = RedisServer.start();
        Weir weir = Weir.redis(redis.url()).deadline(Duration.ofMillis(500)).build();
        RunningServer server = start(weir)) {
      redis.kill();
      for (int i = 0; i < 5; i++) {
        Outcome open = call(server, "Open");
        assertThat(open.code()).isEqualTo(Code.OK);
        assertThat(open.header("weir-degraded")).isEqualTo("allow");
      }
      Outcome shut = call(server, "Shut");
      assertThat(shut.code()).isEqualTo(Code.UNAVAILABLE);
      assertThat(shut.trailer("weir-degraded")).isEqualTo("deny");
      assertThat(shut.trailer("retry-after")).isEqualTo("1");
      assertThat(shut.trailer("grpc-retry-pushback-ms")).isEqualTo("1000");
      RetryInfo retry = shut.detail(RetryInfo.class).orElseThrow();
      assertThat(retry.getRetryDelay().getSeconds()).isEqualTo(1);
      assertThat(shut.detail(ErrorInfo.class).orElseThrow().getReason())
          .isEqualTo("STORE_UNAVAILABLE");
      assertThat(call(server, "Local").code()).isEqualTo(Code.OK);
      assertThat(call(server, "Local").code()).isEqualTo(Code.OK);
      Outcome denied = call(server, "Local");
      assertThat(denied.code()).isEqualTo(Code.RESOURCE_EXHAUSTED);
      assertThat(denied.trailer("weir-degraded")).isEqualTo("local");
    }
  }

  /** One event loop runs everything, handlers included: a blocked one would answer nobody. */
  @Test
  void callsThatNeedNoStoreGoOnWhileOthersWaitForIt() throws Exception {
    NioEventLoopGroup loop = new NioEventLoopGroup(1);
    String rules = "rules: [{name: counted, match: {path: /test.Echo/Slow}, limit: 1000/hour}]";
    try (RedisServer redis = RedisServer.start();
        Weir weir = patient(redis);
        RunningServer server =
            RunningServer.start(
                new Echo().service("Slow"),
                settings ->
                    settings
                        .directExecutor()
                        .channelType(NioServerSocketChannel.class)
                        .bossEventLoopGroup(loop)
                        .workerEventLoopGroup(loop),
                channel -> channel,
                WeirServerInterceptor.of(rules(weir, rules)))) {
      assertThat(call(server, "Slow").code()).isEqualTo(Code.OK);
      redis.pause();
      List<ListenableFuture<StringValue>> slow = new ArrayList<>();
      for (int i = 0; i < 20; i++) {
        slow.add(
            ClientCalls.futureUnaryCall(
                server.channel().newCall(method("Slow"), CallOptions.DEFAULT), Echo.text("slow")));
      }
      for (int i = 0; i < 20; i++) {
        assertThat(server.call("quick").response()).isEqualTo("quick");
      }
      assertThat(slow).noneMatch(ListenableFuture::isDone);
      redis.resume();
      for (ListenableFuture<StringValue> call : slow) {
        assertThat(call.get(60, TimeUnit.SECONDS).getValue()).isEqualTo("slow");
      }
    } finally {
      var unused = loop.shutdownGracefully(0, 1, TimeUnit.SECONDS);
    }
  }

  /** Nothing is asked of the client before the decision, and everything arrives after it. */
  @Test
  void messagesSentWhileTheStoreDecidesArriveInOrder() throws Exception {
    try (RedisServer redis = RedisServer.start();
        Weir weir = patient(redis);
        RunningServer server =
            RunningServer.start(new Echo(), WeirServerInterceptor.of(rules(weir, BUSY)))) {
      redis.pause();
      Responses stream = new Responses();
      StreamObserver<StringValue> requests =
          ClientCalls.asyncClientStreamingCall(
              server.channel().newCall(Echo.CLIENT_STREAM, CallOptions.DEFAULT), stream);
      for (int i = 0; i < 10; i++) {
        requests.onNext(Echo.text("" + i));
      }
      requests.onCompleted();
      Responses empty = new Responses();
      ClientCalls.asyncBidiStreamingCall(
              server.channel().newCall(Echo.BIDI, CallOptions.DEFAULT), empty)
          .onCompleted();
      redis.resume();
      assertThat(stream.code()).isEqualTo(Code.OK);
      assertThat(stream.texts).containsExactly("0,1,2,3,4,5,6,7,8,9");
      assertThat(empty.code()).isEqualTo(Code.OK);
    }
  }

  @Test
  void callCancelledBeforeTheGrantCostsNothingAndIsNeverStarted() throws Exception {
    String rules =
        """
        lint-ignore: needs-release
        rules:
          - {name: busy, concurrent: 1, expires: 1 hour}
          - {name: count, limit: 10/hour, algorithm: fixed-window}
        """;
    Echo echo = new Echo();
    try (RedisServer redis = RedisServer.start();
        Weir weir = patient(redis)) {
      RulesLimiter limiter = rules(weir, rules);
      try (RunningServer server = RunningServer.start(echo, WeirServerInterceptor.of(limiter))) {
        assertThat(server.call("first").code()).isEqualTo(Code.OK);
        Await.until("nine left", SOON, () -> left(limiter) == 9);
        redis.pause();
        Responses responses = new Responses();
        ClientCall<StringValue, StringValue> call =
            server.channel().newCall(Echo.BIDI, CallOptions.DEFAULT);
        ClientCalls.asyncBidiStreamingCall(call, responses).onNext(Echo.text("never"));
        call.cancel("enough", null);
        assertThat(responses.code()).isEqualTo(Code.CANCELLED);
        // A later call of the same connection has been read, so the cancelled one has been too.
        Responses marker = new Responses();
        ClientCalls.asyncUnaryCall(
            server
                .channel()
                .newCall(Echo.UNARY, CallOptions.DEFAULT.withDeadlineAfter(Duration.ofSeconds(1))),
            Echo.text("marker"),
            marker);
        assertThat(marker.code()).isEqualTo(Code.DEADLINE_EXCEEDED);
        redis.resume();
        Await.until("given back", SOON, () -> left(limiter) == 9);
        assertThat(echo.events).isEmpty();
      }
    }
  }

  /** How many permits are left; -1 while the permit is held. */
  private static long left(RulesLimiter limiter) {
    Admission probe = limiter.admit(WebRequest.of("POST", "/"));
    if (!probe.allowed()) {
      return -1;
    }
    long left = probe.decision().orElseThrow().each().get(1).remaining() + 1;
    probe.giveBack();
    assertThat(left).isLessThanOrEqualTo(9);
    return left;
  }
}
