package dev.weir.grpc;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.StringValue;
import dev.weir.library.RulesLimiter;
import dev.weir.library.WebRequest;
import dev.weir.library.Weir;
import dev.weir.library.web.Admission;
import dev.weir.rules.yaml.RulesText;
import dev.weir.testkit.redis.Await;
import io.grpc.CallOptions;
import io.grpc.ClientCall;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.Status;
import io.grpc.Status.Code;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.StreamObserver;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Calls of all kinds, which hold their permit until they end, in whatever way. */
@Timeout(120)
class StreamingTest {
  private static final Duration SOON = Duration.ofSeconds(60);

  private static final String ONE_AT_A_TIME =
      """
      lint-ignore: needs-release
      rules: [{name: busy, concurrent: 1, expires: 1 hour}]
      """;

  private final Weir weir = Weir.inMemory();
  private final RulesLimiter busy = weir.rules(RulesText.of("rules.yaml", ONE_AT_A_TIME));
  private final Echo echo = new Echo();

  @AfterEach
  void close() {
    weir.close();
  }

  private boolean isFree() {
    Admission probe = busy.admit(WebRequest.of("POST", "/"));
    probe.close();
    return probe.allowed();
  }

  private void awaitFree() {
    Await.until("released", SOON, this::isFree);
  }

  private static ClientCall<StringValue, StringValue> newCall(
      RunningServer server, MethodDescriptor<StringValue, StringValue> method) {
    return server.channel().newCall(method, CallOptions.DEFAULT);
  }

  @Test
  void callsOfAllKindsPassAndAreChargedOnce() throws Exception {
    String rules = "rules: [{name: one, per: path, limit: 1/hour}]";
    RulesLimiter limiter = weir.rules(RulesText.of("rules.yaml", rules));
    try (RunningServer server = RunningServer.start(echo, WeirServerInterceptor.of(limiter))) {
      assertThat(allKinds(server)).containsExactly("x", "x1,x2,x3", "x,y", "x,y");
      assertThat(allKinds(server))
          .containsExactly(
              "RESOURCE_EXHAUSTED",
              "RESOURCE_EXHAUSTED",
              "RESOURCE_EXHAUSTED",
              "RESOURCE_EXHAUSTED");
    }
  }

  /** Makes a call of each kind, and returns the responses or how it failed. */
  private static List<String> allKinds(RunningServer server) throws Exception {
    Responses unary = new Responses();
    ClientCalls.asyncUnaryCall(newCall(server, Echo.UNARY), Echo.text("x"), unary);
    Responses serverStream = new Responses();
    ClientCalls.asyncServerStreamingCall(
        newCall(server, Echo.SERVER_STREAM), Echo.text("x"), serverStream);
    Responses clientStream = new Responses();
    sendTwo(
        ClientCalls.asyncClientStreamingCall(newCall(server, Echo.CLIENT_STREAM), clientStream));
    Responses bidi = new Responses();
    sendTwo(ClientCalls.asyncBidiStreamingCall(newCall(server, Echo.BIDI), bidi));
    return List.of(result(unary), result(serverStream), result(clientStream), result(bidi));
  }

  private static void sendTwo(StreamObserver<StringValue> requests) {
    requests.onNext(Echo.text("x"));
    requests.onNext(Echo.text("y"));
    requests.onCompleted();
  }

  private static String result(Responses responses) throws Exception {
    Code code = responses.code();
    return code == Code.OK ? String.join(",", responses.texts) : code.toString();
  }

  @Test
  void streamHoldsItsPermitUntilItIsComplete() throws Exception {
    try (RunningServer server = RunningServer.start(echo, WeirServerInterceptor.of(busy))) {
      Responses responses = new Responses();
      StreamObserver<StringValue> requests =
          ClientCalls.asyncBidiStreamingCall(newCall(server, Echo.BIDI), responses);
      requests.onNext(Echo.text("started"));
      Await.until("started", SOON, () -> responses.texts.contains("started"));
      assertThat(isFree()).isFalse();
      assertThat(server.call("meanwhile").code()).isEqualTo(Code.RESOURCE_EXHAUSTED);
      requests.onCompleted();
      assertThat(responses.code()).isEqualTo(Code.OK);
      assertThat(isFree()).as("free before the client knows that the call is over").isTrue();
    }
  }

  @Test
  void cancelledStreamReleasesItsPermit() throws Exception {
    try (RunningServer server = RunningServer.start(echo, WeirServerInterceptor.of(busy))) {
      Responses responses = new Responses();
      ClientCall<StringValue, StringValue> call = newCall(server, Echo.SERVER_STREAM);
      ClientCalls.asyncServerStreamingCall(call, Echo.text("endless"), responses);
      Await.until("started", SOON, () -> responses.texts.contains("endless3"));
      assertThat(isFree()).isFalse();
      call.cancel("enough", null);
      awaitFree();
    }
  }

  @Test
  void deadlineOfTheClientReleasesThePermit() throws Exception {
    try (RunningServer server = RunningServer.start(echo, WeirServerInterceptor.of(busy))) {
      Responses responses = new Responses();
      ClientCalls.asyncServerStreamingCall(
          server
              .channel()
              .newCall(
                  Echo.SERVER_STREAM,
                  CallOptions.DEFAULT.withDeadlineAfter(Duration.ofMillis(500))),
          Echo.text("endless"),
          responses);
      assertThat(responses.code()).isEqualTo(Code.DEADLINE_EXCEEDED);
      awaitFree();
    }
  }

  @Test
  void handlerThatThrowsReleasesThePermit() throws Exception {
    try (RunningServer server = RunningServer.start(echo, WeirServerInterceptor.of(busy))) {
      Responses responses = new Responses();
      StreamObserver<StringValue> requests =
          ClientCalls.asyncBidiStreamingCall(newCall(server, Echo.BIDI), responses);
      requests.onNext(Echo.text("throw"));
      assertThat(responses.code()).isEqualTo(Code.UNKNOWN);
      awaitFree();
    }
  }

  @Test
  void handlerThatThrowsAtTheStartReleasesThePermit() throws Exception {
    ServerInterceptor throwing =
        new ServerInterceptor() {
          @Override
          public <Q, R> ServerCall.Listener<Q> interceptCall(
              ServerCall<Q, R> call, Metadata headers, ServerCallHandler<Q, R> next) {
            throw Status.ABORTED.asRuntimeException();
          }
        };
    try (RunningServer server =
        RunningServer.start(echo, WeirServerInterceptor.of(busy), throwing)) {
      assertThat(server.call("x").code()).isEqualTo(Code.ABORTED);
      awaitFree();
    }
  }

  @Test
  void handlerThatAnswersWithAnErrorReleasesThePermitAndSendsTheHeadersAsTrailers()
      throws Exception {
    String rules =
        """
        lint-ignore: needs-release
        rules: [{name: busy, concurrent: 1, expires: 1 hour}, {name: two, limit: 2/hour}]
        """;
    RulesLimiter limiter = weir.rules(RulesText.of("both.yaml", rules));
    Metadata shared = new Metadata();
    Echo failing =
        new Echo() {
          @Override
          void unary(StringValue request, StreamObserver<StringValue> response) {
            response.onError(Status.NOT_FOUND.asRuntimeException(shared));
          }
        };
    try (RunningServer server = RunningServer.start(failing, WeirServerInterceptor.of(limiter))) {
      for (int i = 0; i < 2; i++) {
        Outcome failed = server.call("x");
        assertThat(failed.code()).isEqualTo(Code.NOT_FOUND);
        assertThat(failed.trailer("x-ratelimit-limit")).isNotNull();
      }
      assertThat(shared.keys()).as("trailers that the handler shares between calls").isEmpty();
      assertThat(server.call("x").code()).isEqualTo(Code.RESOURCE_EXHAUSTED);
    }
  }
}
