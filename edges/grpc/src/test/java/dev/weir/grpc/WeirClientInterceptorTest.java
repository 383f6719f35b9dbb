package dev.weir.grpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.StringValue;
import com.google.rpc.ErrorInfo;
import com.google.rpc.RetryInfo;
import dev.weir.Limit;
import dev.weir.library.ConcurrencyLimiter;
import dev.weir.library.Permit;
import dev.weir.library.RateLimiter;
import dev.weir.library.Weir;
import dev.weir.testkit.redis.Await;
import io.grpc.CallOptions;
import io.grpc.ClientCall;
import io.grpc.Metadata;
import io.grpc.Status.Code;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.StreamObserver;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Calls that wait in the client, or are denied there. */
@Timeout(120)
class WeirClientInterceptorTest {
  private static final Duration SOON = Duration.ofSeconds(60);
  private final Weir weir = Weir.inMemory();

  @AfterEach
  void close() {
    weir.close();
  }

  private static RunningServer start(WeirClientInterceptor interceptor) throws Exception {
    return start(new Echo(), interceptor);
  }

  private static RunningServer start(Echo echo, WeirClientInterceptor interceptor)
      throws Exception {
    return RunningServer.start(
        echo.service("Other"), server -> server, channel -> channel.intercept(interceptor));
  }

  private RateLimiter twoPerHour() {
    return weir.limiter("two", Limit.fixedWindow(2, Duration.ofHours(1)));
  }

  @Test
  void callsWithinTheLimitAreMadeAndOthersFailBeforeTheyAreSent() throws Exception {
    Echo echo = new Echo();
    WeirClientInterceptor interceptor = WeirClientInterceptor.builder().rate(twoPerHour()).build();
    try (RunningServer server = start(echo, interceptor)) {
      assertThat(server.call("one").response()).isEqualTo("one");
      assertThat(server.call("two").response()).isEqualTo("two");
      Outcome denied = server.call("three");
      assertThat(denied.code()).isEqualTo(Code.RESOURCE_EXHAUSTED);
      assertThat(denied.status().getDescription()).isEqualTo("over the limit of two");
      assertThat(denied.detail(RetryInfo.class)).isPresent();
      assertThat(denied.detail(ErrorInfo.class).orElseThrow().getReason())
          .isEqualTo("RATE_LIMIT_EXCEEDED");
      assertThat(
              server.call(Echo.method("Other", Echo.UNARY.getType()), "x", new Metadata()).code())
          .isEqualTo(Code.OK);
    }
  }

  @Test
  void callsWaitForAPermitAndForTheEndOfTheCallThatHoldsIt() throws Exception {
    ConcurrencyLimiter one = weir.concurrency("one", 1, Duration.ofHours(1));
    WeirClientInterceptor interceptor =
        WeirClientInterceptor.builder().concurrency(one).key((method, options) -> "all").build();
    try (RunningServer server = start(interceptor)) {
      Responses holding = new Responses();
      StreamObserver<StringValue> requests =
          ClientCalls.asyncBidiStreamingCall(
              server.channel().newCall(Echo.BIDI, CallOptions.DEFAULT), holding);
      requests.onNext(Echo.text("held"));
      Await.until("started", SOON, () -> holding.texts.contains("held"));
      var waiting = ClientCalls.futureUnaryCall(unary(server), Echo.text("waited"));
      var cancelled = ClientCalls.futureUnaryCall(unary(server), Echo.text("gone"));
      assertThat(cancelled.cancel(false)).isTrue();
      assertThat(waiting.isDone()).isFalse();
      requests.onCompleted();
      assertThat(waiting.get(60, TimeUnit.SECONDS).getValue()).isEqualTo("waited");
      assertThat(server.call("next").code()).isEqualTo(Code.OK);
      Await.until("released", SOON, () -> isFree(one, "all"));
    }
  }

  private static ClientCall<StringValue, StringValue> unary(RunningServer server) {
    return server.channel().newCall(Echo.UNARY, CallOptions.DEFAULT);
  }

  private static boolean isFree(ConcurrencyLimiter limiter, String key) {
    var permit = limiter.tryEnter(key);
    permit.ifPresent(Permit::close);
    return permit.isPresent();
  }

  @Test
  void cancelledCallReleasesItsPermitOnce() throws Exception {
    ConcurrencyLimiter two = weir.concurrency("two", 2, Duration.ofHours(1));
    WeirClientInterceptor interceptor =
        WeirClientInterceptor.builder().concurrency(two).key((method, options) -> "all").build();
    try (RunningServer server = start(interceptor);
        Permit kept = two.tryEnter("all").orElseThrow()) {
      Responses responses = new Responses();
      ClientCall<StringValue, StringValue> call =
          server.channel().newCall(Echo.BIDI, CallOptions.DEFAULT);
      StreamObserver<StringValue> requests = ClientCalls.asyncBidiStreamingCall(call, responses);
      requests.onNext(Echo.text("started"));
      Await.until("started", SOON, () -> responses.texts.contains("started"));
      assertThat(isFree(two, "all")).isFalse();
      call.cancel("enough", null);
      Await.until("closed", SOON, () -> responses.ended.isDone());
      Await.until("released", SOON, () -> isFree(two, "all"));
      try (Permit other = two.tryEnter("all").orElseThrow()) {
        assertThat(isFree(two, "all")).as("%s and %s are held", kept.key(), other.key()).isFalse();
      }
    }
  }

  @Test
  void callCancelledBeforeItStartsIsAnErrorOfTheCallItself() throws Exception {
    try (RunningServer server = start(WeirClientInterceptor.create())) {
      ClientCall<StringValue, StringValue> call = unary(server);
      call.cancel("never mind", null);
      assertThatThrownBy(() -> call.start(new ClientCall.Listener<>() {}, new Metadata()))
          .isInstanceOf(IllegalStateException.class);
    }
  }

  @Test
  void callWhoseDeadlineIsTooEarlyFailsAtOnce() throws Exception {
    RateLimiter slow = weir.limiter("slow", Limit.tokenBucket(1, Duration.ofHours(1), 1));
    WeirClientInterceptor interceptor =
        WeirClientInterceptor.builder().rate(slow).maxWait(Duration.ofHours(24)).build();
    try (RunningServer server = start(interceptor)) {
      assertThat(server.call("one").code()).isEqualTo(Code.OK);
      assertThat(server.call("two").code()).isEqualTo(Code.RESOURCE_EXHAUSTED); // in 60 seconds
    }
  }

  @Test
  void deniedByTheRateReleasesThePermit() throws Exception {
    ConcurrencyLimiter one = weir.concurrency("one", 1, Duration.ofHours(1));
    WeirClientInterceptor interceptor =
        WeirClientInterceptor.builder().concurrency(one).rate(twoPerHour()).build();
    try (RunningServer server = start(interceptor)) {
      for (Code expected : List.of(Code.OK, Code.OK, Code.RESOURCE_EXHAUSTED)) {
        assertThat(server.call("x").code()).isEqualTo(expected);
        assertThat(isFree(one, Echo.UNARY.getFullMethodName())).isTrue();
      }
    }
  }

  @Test
  void keyThatCannotBeUsedFailsTheCallWithAWord() throws Exception {
    WeirClientInterceptor interceptor =
        WeirClientInterceptor.builder().rate(twoPerHour()).key((method, options) -> "").build();
    try (RunningServer server = start(interceptor)) {
      Outcome failed = server.call("x");
      assertThat(failed.code()).isEqualTo(Code.INTERNAL);
      assertThat(failed.status().getDescription()).startsWith("key: ");
    }
  }

  /** A client that ignores flow control while its call waits is stopped, not kept in memory. */
  @Test
  void operationsOfAWaitingCallAreBounded() throws Exception {
    ConcurrencyLimiter one = weir.concurrency("one", 1, Duration.ofHours(1));
    WeirClientInterceptor interceptor =
        WeirClientInterceptor.builder()
            .concurrency(one)
            .key((method, options) -> "all")
            .maxWait(Duration.ofMinutes(30))
            .build();
    try (RunningServer server = start(interceptor);
        Permit held = one.tryEnter("all").orElseThrow()) {
      Responses responses = new Responses();
      ClientCall<StringValue, StringValue> call =
          server.channel().newCall(Echo.CLIENT_STREAM, CallOptions.DEFAULT);
      StreamObserver<StringValue> requests = ClientCalls.asyncClientStreamingCall(call, responses);
      assertThat(call.isReady()).as("while %s is held", held.key()).isFalse();
      for (int i = 0; i <= HeldCall.MAX_KEPT; i++) {
        requests.onNext(Echo.text("x"));
      }
      assertThat(responses.code()).isEqualTo(Code.RESOURCE_EXHAUSTED);
    }
  }

  @Test
  void messagesSentWhileACallWaitsArriveInOrder() throws Exception {
    ConcurrencyLimiter one = weir.concurrency("one", 1, Duration.ofHours(1));
    WeirClientInterceptor interceptor =
        WeirClientInterceptor.builder().concurrency(one).key((method, options) -> "all").build();
    try (RunningServer server = start(interceptor)) {
      Responses responses = new Responses();
      Permit held = one.tryEnter("all").orElseThrow();
      StreamObserver<StringValue> requests =
          ClientCalls.asyncClientStreamingCall(
              server.channel().newCall(Echo.CLIENT_STREAM, CallOptions.DEFAULT), responses);
      for (int i = 0; i < 20; i++) {
        requests.onNext(Echo.text("" + i));
      }
      requests.onCompleted();
      held.close();
      assertThat(responses.code()).isEqualTo(Code.OK);
      assertThat(responses.texts)
          .containsExactly("0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19");
    }
  }

  @Test
  void denialIsReportedOnTheExecutorOfTheInterceptor() throws Exception {
    BlockingQueue<Runnable> reports = new LinkedBlockingQueue<>();
    WeirClientInterceptor interceptor =
        WeirClientInterceptor.builder()
            .rate(weir.limiter("none", Limit.tokenBucket(1, Duration.ofHours(1), 1)))
            .executor(reports::add)
            .build();
    try (RunningServer server = start(interceptor)) {
      assertThat(server.call("one").code()).isEqualTo(Code.OK);
      Responses denied = new Responses();
      ClientCalls.asyncUnaryCall(unary(server), Echo.text("two"), denied);
      Runnable report = reports.poll(60, TimeUnit.SECONDS);
      assertThat(denied.ended).isNotDone();
      assertThat(report).isNotNull();
      report.run();
      assertThat(denied.code()).isEqualTo(Code.RESOURCE_EXHAUSTED);
    }
  }

  @Test
  void settingsOutOfRangeAreRejected() {
    assertThatThrownBy(() -> WeirClientInterceptor.builder().maxWait(Duration.ofNanos(-1)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("max wait: PT-0.000000001S (expected: between PT0S and PT24H)");
    assertThatThrownBy(() -> WeirClientInterceptor.builder().maxPause(Duration.ofDays(2)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("max pause: PT48H (expected: between PT0S and PT24H)");
  }
}
