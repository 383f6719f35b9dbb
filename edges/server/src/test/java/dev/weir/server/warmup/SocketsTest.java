package dev.weir.server.warmup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import org.junit.jupiter.api.Test;

class SocketsTest {
  private final Sockets sockets = new Sockets();

  private static Port port(ServerSocket server) {
    return new Port("127.0.0.1", server.getLocalPort(), false);
  }

  private static ServerSocket server() throws IOException {
    return new ServerSocket(0, 9, InetAddress.getLoopbackAddress());
  }

  @Test
  void ownConnectionsAreRecognizedByAddressAndPort() throws Exception {
    try (ServerSocket server = server();
        Socket own = sockets.open(port(server), "");
        Socket other = new Socket(InetAddress.getLoopbackAddress(), server.getLocalPort())) {
      assertThat(sockets.isOwn("127.0.0.1", own.getLocalPort())).isTrue();
      assertThat(sockets.isOwn("::ffff:127.0.0.1", own.getLocalPort())).isTrue();
      assertThat(sockets.isOwn("127.0.0.2", own.getLocalPort())).isFalse();
      assertThat(sockets.isOwn("127.0.0.1", other.getLocalPort())).isFalse();
    }
  }

  /** Other clients may get its address and port then, while this server still warms up. */
  @Test
  void connectionIsRemovedWhenServerSideCloses() throws Exception {
    try (ServerSocket server = server();
        Socket one = sockets.open(port(server), "");
        Socket two = sockets.open(port(server), "")) {
      sockets.forget("127.0.0.1", one.getLocalPort());
      assertThat(sockets.isOwn("127.0.0.1", one.getLocalPort())).isFalse();
      assertThat(sockets.isOwn("127.0.0.1", two.getLocalPort())).isTrue();
    }
  }

  @Test
  void locallyClosedConnectionIsRecognizedUntilItsRequestsAreRead() throws Exception {
    try (ServerSocket server = server()) {
      Socket own = sockets.open(port(server), "");
      int port = own.getLocalPort();
      own.close();
      assertThat(sockets.isOwn("127.0.0.1", port)).isTrue();
    }
  }

  @Test
  void failedConnectionIsRemoved() throws Exception {
    ServerSocket server = server();
    server.close();
    assertThatThrownBy(() -> sockets.open(port(server), "")).isInstanceOf(IOException.class);
    for (int port = 1; port <= 65_535; port++) {
      assertThat(sockets.isOwn("127.0.0.1", port)).isFalse();
    }
  }

  @Test
  void addressesAreComparedInCanonicalForm() {
    assertThat(Sockets.peer("fe80::1%eth0", 7)).isEqualTo(Sockets.peer("FE80:0:0:0:0:0:0:1%3", 7));
    assertThat(Sockets.peer("0:0:0:0:0:0:0:1", 7)).isEqualTo(Sockets.peer("::1", 7));
    assertThat(Sockets.peer("::1", 7)).isNotEqualTo(Sockets.peer("::2", 7));
    assertThat(Sockets.peer("::1", 7)).isNotEqualTo(Sockets.peer("::1", 8));
  }
}
