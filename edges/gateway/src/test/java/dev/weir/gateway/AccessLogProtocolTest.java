package dev.weir.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.gateway.log.AccessFormat;
import dev.weir.gateway.log.AccessLog;
import java.io.ByteArrayOutputStream;
import java.net.http.HttpClient;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

/** The access log names protocols as other servers do. */
class AccessLogProtocolTest {
  @Test
  void protocolIsWrittenAsInARequestLine() throws Exception {
    ByteArrayOutputStream written = new ByteArrayOutputStream();
    try (ScriptedUpstream upstream = ScriptedUpstream.friendly()) {
      try (TestGateway gateway =
          TestGateway.logging(
              AccessLog.to(written, AccessFormat.COMMON, false),
              TestGateway.OPEN,
              upstream.url())) {
        RawHttp.exchange(gateway.port(), "GET /old HTTP/1.0\r\n\r\n");
        gateway.get("/usual");
        HttpClient http2 = HttpClient.newBuilder().version(HttpClient.Version.HTTP_2).build();
        http2.send(gateway.request("/new").build(), HttpResponse.BodyHandlers.discarding());
      }
    }
    assertThat(written.toString(StandardCharsets.UTF_8))
        .contains("\"GET /old HTTP/1.0\" 200 5")
        .contains("\"GET /usual HTTP/1.1\" 200 5")
        .contains("\"GET /new HTTP/2.0\" 200 5");
  }
}
