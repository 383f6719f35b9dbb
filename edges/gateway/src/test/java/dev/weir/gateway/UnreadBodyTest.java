package dev.weir.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import com.google.protobuf.ByteString;
import dev.weir.server.warmup.Call;
import dev.weir.server.warmup.Http2Caller;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class UnreadBodyTest {
  private static final String ONE = "rules: [{name: one, limit: 1/day}]";

  /** The caller fails if the server resets one of its streams. */
  @Test
  void denialOfARequestThatHasArrivedResetsNothing() throws IOException {
    Call post = new Call("POST", "/", Map.of(), ByteString.copyFromUtf8("some bytes"));
    Call get = Call.get("/", Map.of());
    try (ScriptedUpstream upstream = ScriptedUpstream.friendly();
        TestGateway gateway = TestGateway.to(ONE, upstream.url());
        Http2Caller caller =
            new Http2Caller(new Socket(InetAddress.getLoopbackAddress(), gateway.port()))) {
      for (int i = 0; i < 20; i++) {
        assertThatCode(() -> caller.call(List.of(get, post, get, post))).doesNotThrowAnyException();
      }
      assertThat(upstream.received).hasSize(1);
      assertThat(gateway.metrics()).contains("weir_gateway_requests_total{outcome=\"denied\"} 79");
    }
  }
}
