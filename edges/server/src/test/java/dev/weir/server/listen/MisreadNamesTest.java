package dev.weir.server.listen;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.server.RawClient;
import dev.weir.server.TestServer;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Only a genuine Content-Length turns following bytes into a body. */
class MisreadNamesTest {
  private static final String START = "GET /v1/check/a HTTP/1.1\r\nHost: h\r\n";

  private static boolean isMisread(String text, int part) {
    MisreadNames names = new MisreadNames();
    ByteBuf bytes = Unpooled.copiedBuffer(text, US_ASCII);
    boolean found = false;
    for (int i = 0; i < text.length(); i += part) {
      names.begin(bytes.slice(i, Math.min(part, text.length() - i)), i == 0);
      found |= names.isFound();
      names.end();
    }
    return found;
  }

  @Test
  void misreadNamesAreFound() {
    for (String name :
        List.of(
            "Content-Xength",
            "content-tength",
            "Content- ength",
            "Content-Lype",
            "content-\0ype",
            "CONTENT-XENGTH")) {
      for (int part : new int[] {1, 2, 7, 1_000}) {
        for (String colon : List.of(":", " :", "\t:")) {
          String text = START + name + colon + " 5\r\n\r\n";
          assertThat(isMisread(text, part)).as(name).isTrue();
          assertThat(isMisread("{}" + START + "C: Content-Length\r\n" + text, part)).isTrue();
        }
      }
    }
  }

  @Test
  void otherNamesAreNotFound() {
    for (String name :
        List.of(
            "Content-Length",
            "content-type",
            "CONTENT-LENGTH",
            "Content-Lengthy",
            "Content-Style",
            "X-Content-Xength",
            "Content-Xengt",
            "Content-",
            "C",
            "Cookie: Content-Xength")) {
      for (int part : new int[] {1, 3, 1_000}) {
        assertThat(isMisread(START + name + ": 5\r\n\r\n" + START + "\r\n", part))
            .as(name)
            .isFalse();
      }
    }
  }

  /** A gateway sends requests of several clients on one connection. */
  @Test
  void requestWithMisreadHeaderIsRejectedAndHidesNoOtherRequest() throws IOException {
    try (TestServer served = TestServer.with("rules: [{name: all, limit: blocked}]")) {
      for (String header : List.of("Content-Xength: 60", "Content-Tength: 60", "Content-Xype: a")) {
        try (RawClient client = new RawClient(served.server.port(), 60_000)) {
          client.send((START + header + "\r\n\r\n").getBytes(US_ASCII));
          assertThat(requireNonNull(client.read(false)).status()).as(header).isEqualTo(400);
          assertThat(client.header("connection")).isEqualTo("close");
        }
        // A head in parts, after a complete request, and after a body.
        String whole = START + "Content-Length: 2\r\n\r\n{}";
        for (String before : List.of("", START + "\r\n", whole)) {
          try (RawClient client = new RawClient(served.server.port(), 60_000)) {
            String request = before + START + header + "\r\n\r\n";
            int cut = request.length() - header.length() / 2;
            client.send(request.substring(0, cut).getBytes(US_ASCII));
            if (!before.isEmpty()) {
              assertThat(requireNonNull(client.read(false)).status()).isEqualTo(429);
            }
            client.send((request.substring(cut) + START + "\r\n").getBytes(US_ASCII));
            assertThat(requireNonNull(client.read(false)).status()).as(request).isEqualTo(400);
          }
        }
        try (RawClient client = new RawClient(served.server.port(), 60_000)) {
          for (int i = 0; i < 3; i++) {
            client.send((START + "Content-Length: 2\r\n\r\n{}").getBytes(US_ASCII));
            assertThat(requireNonNull(client.read(false)).status()).isEqualTo(429);
          }
        }
      }
    }
  }
}
