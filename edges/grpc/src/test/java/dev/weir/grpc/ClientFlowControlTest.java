package dev.weir.grpc;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.StringValue;
import dev.weir.library.ConcurrencyLimiter;
import dev.weir.library.Permit;
import dev.weir.library.Weir;
import io.grpc.CallOptions;
import io.grpc.Status.Code;
import io.grpc.stub.ClientCallStreamObserver;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.ClientResponseObserver;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Streams that send only when their call is ready, after they have waited for their turn. */
@Timeout(120)
class ClientFlowControlTest {
  private static final Duration SOON = Duration.ofSeconds(60);

  @Test
  void streamThatObeysFlowControlIsSentOnceItsTurnHasCome() throws Exception {
    Weir weir = Weir.inMemory();
    ConcurrencyLimiter one = weir.concurrency("one", 1, Duration.ofHours(1));
    WeirClientInterceptor interceptor =
        WeirClientInterceptor.builder().concurrency(one).key((method, options) -> "all").build();
    try (weir;
        RunningServer server =
            RunningServer.start(
                new Echo().service(),
                settings -> settings,
                channel -> channel.intercept(interceptor))) {
      for (int i = 0; i < 20; i++) {
        Permit held = one.enterAsync("all", SOON).get(60, TimeUnit.SECONDS);
        SendsWhileReady stream = new SendsWhileReady();
        var unused =
            ClientCalls.asyncClientStreamingCall(
                server.channel().newCall(Echo.CLIENT_STREAM, CallOptions.DEFAULT), stream);
        held.close();
        assertThat(stream.responses.code()).isEqualTo(Code.OK);
        assertThat(stream.responses.texts).containsExactly("0,1,2,3,4");
      }
    }
  }

  /** A stream that sends five messages, and only when the call is ready. */
  private static final class SendsWhileReady
      implements ClientResponseObserver<StringValue, StringValue> {
    final Responses responses = new Responses();
    private int sent;

    @Override
    public void beforeStart(ClientCallStreamObserver<StringValue> requests) {
      requests.setOnReadyHandler(
          () -> {
            while (sent < 5 && requests.isReady()) {
              requests.onNext(Echo.text("" + sent++));
              if (sent == 5) {
                requests.onCompleted();
              }
            }
          });
    }

    @Override
    public void onNext(StringValue response) {
      responses.onNext(response);
    }

    @Override
    public void onError(Throwable failure) {
      responses.onError(failure);
    }

    @Override
    public void onCompleted() {
      responses.onCompleted();
    }
  }
}
