package dev.weir.grpc;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.StringValue;
import com.google.rpc.ErrorInfo;
import com.google.rpc.RetryInfo;
import dev.weir.library.Weir;
import dev.weir.rules.yaml.RulesText;
import dev.weir.testkit.time.ManualScheduler;
import dev.weir.testkit.time.ManualTicker;
import io.grpc.CallOptions;
import io.grpc.ClientCall;
import io.grpc.Metadata;
import io.grpc.Status.Code;
import io.grpc.stub.ClientCalls;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Calls to a server that has asked for a pause. */
@Timeout(120)
class ClientPausesTest {
  private final Weir weir = Weir.inMemory();

  @AfterEach
  void close() {
    weir.close();
  }

  private static ClientCall<StringValue, StringValue> unary(RunningServer server) {
    return server.channel().newCall(Echo.UNARY, CallOptions.DEFAULT);
  }

  @Test
  void callsFailLocallyWhileTheServerPausesTheirMethod() throws Exception {
    String rules = "rules: [{name: one, match: {path: /test.Echo/Unary}, limit: 1/hour}]";
    Echo echo = new Echo();
    try (RunningServer server =
        RunningServer.start(
            echo.service("Other"),
            settings -> settings,
            channel -> channel.intercept(WeirClientInterceptor.create()),
            WeirServerInterceptor.of(weir.rules(RulesText.of("rules.yaml", rules))))) {
      assertThat(server.call("one").code()).isEqualTo(Code.OK);
      assertThat(reason(server.call("two"))).isEqualTo("RATE_LIMIT_EXCEEDED");
      Outcome local = server.call("three");
      assertThat(reason(local)).isEqualTo("SERVER_PUSHBACK");
      assertThat(local.code()).isEqualTo(Code.RESOURCE_EXHAUSTED);
      assertThat(local.detail(RetryInfo.class).orElseThrow().getRetryDelay().getSeconds())
          .isLessThan(60); // the longest pause
      Outcome other = server.call(Echo.method("Other", Echo.UNARY.getType()), "x", new Metadata());
      assertThat(other.code()).isEqualTo(Code.OK);
    }
  }

  @Test
  void serverThatDeniesOneTenantDoesNotPauseAnother() throws Exception {
    CallOptions.Key<String> tenant = CallOptions.Key.createWithDefault("tenant", "");
    String rules = "rules: [{name: one, limit: 1/hour}]";
    try (RunningServer server =
        RunningServer.start(
            new Echo().service(),
            settings -> settings,
            channel ->
                channel.intercept(
                    WeirClientInterceptor.builder()
                        .key((method, options) -> options.getOption(tenant))
                        .build()),
            WeirServerInterceptor.of(weir.rules(RulesText.of("rules.yaml", rules))))) {
      List<String> reasons = new ArrayList<>();
      for (String one : List.of("a", "a", "a", "b", "b")) {
        Responses responses = new Responses();
        ClientCalls.asyncUnaryCall(
            server.channel().newCall(Echo.UNARY, CallOptions.DEFAULT.withOption(tenant, one)),
            Echo.text("x"),
            responses);
        reasons.add(one + " " + responses.ended.get(60, TimeUnit.SECONDS).getDescription());
      }
      assertThat(reasons)
          .containsExactly(
              "a null",
              "a over the limit of one",
              "a the server asked to wait",
              "b over the limit of one",
              "b the server asked to wait");
    }
  }

  private static String reason(Outcome outcome) throws Exception {
    return outcome.detail(ErrorInfo.class).orElseThrow().getReason();
  }

  @Test
  void callsWaitForTheEndOfAPauseAndAreThenMade() throws Exception {
    ManualTicker ticker = new ManualTicker(0);
    ManualScheduler time = new ManualScheduler(ticker);
    String rules = "rules: [{name: one, limit: 1/10s, algorithm: fixed-window}]";
    try (Weir counted = Weir.builder().ticker(ticker).build();
        RunningServer server =
            RunningServer.start(
                new Echo().service(),
                settings -> settings,
                channel ->
                    channel.intercept(
                        WeirClientInterceptor.builder()
                            .scheduler(time)
                            .random(() -> 0)
                            .maxWait(Duration.ofMinutes(1))
                            .build()),
                WeirServerInterceptor.of(counted.rules(RulesText.of("rules.yaml", rules))))) {
      assertThat(server.call("one").code()).isEqualTo(Code.OK);
      assertThat(server.call("two").code()).isEqualTo(Code.RESOURCE_EXHAUSTED);
      var waiting = ClientCalls.futureUnaryCall(unary(server), Echo.text("three"));
      time.advance(Duration.ofMillis(9_999));
      assertThat(waiting.isDone()).isFalse();
      time.advance(Duration.ofMillis(1));
      assertThat(waiting.get(60, TimeUnit.SECONDS).getValue()).isEqualTo("three");
    }
  }
}
