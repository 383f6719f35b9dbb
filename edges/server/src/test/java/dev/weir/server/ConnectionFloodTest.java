package dev.weir.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.server.settings.ServerSettings;
import dev.weir.server.transport.ConnectionLimits;
import dev.weir.testkit.redis.Await;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Clients that connect and send nothing, from several addresses of this machine. */
@Timeout(300)
class ConnectionFloodTest {
  private static final String RULES =
      "rules:\n  - {name: all, match: {path: /x}, limit: 1000000/day}\n";
  private static final Duration SOON = Duration.ofSeconds(60);

  private final List<Socket> sockets = Collections.synchronizedList(new ArrayList<>());

  private static TestServer served(int total, int perPeer) {
    ServerSettings settings =
        ServerSettings.DEFAULT.withConnections(new ConnectionLimits(total, perPeer));
    return TestServer.with(RULES, settings);
  }

  @AfterEach
  void close() throws IOException {
    for (Socket socket : sockets) {
      socket.close();
    }
  }

  @SuppressWarnings("AddressSelection") // it is an address, not a name
  private Socket connect(String from, int port) throws IOException {
    Socket socket = new Socket();
    sockets.add(socket);
    socket.setSoTimeout(20_000);
    socket.bind(new InetSocketAddress(from, 0));
    socket.connect(new InetSocketAddress("127.0.0.1", port), 20_000);
    return socket;
  }

  /** Whether a connection is answered, or closed at once. */
  private static boolean isAnswered(Socket socket) {
    try {
      socket
          .getOutputStream()
          .write("GET /v1/check/x HTTP/1.1\r\nHost: h\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
      InputStream in = socket.getInputStream();
      byte[] line = in.readNBytes("HTTP/1.1 200".length());
      return new String(line, StandardCharsets.US_ASCII).equals("HTTP/1.1 200");
    } catch (IOException e) {
      return false;
    }
  }

  @Test
  void onePeerCannotShutOutOthers() throws Exception {
    try (TestServer served = served(40, 20)) {
      for (int i = 0; i < 200; i++) {
        connect("127.0.0.2", served.server.port());
      }
      Socket honest = connect("127.0.0.3", served.server.port());
      assertThat(isAnswered(honest)).isTrue();
      assertThat(served.get("/healthz").statusCode()).isEqualTo(200);
    }
  }

  /** Each sends something all the time, so that none is ever idle. */
  @Test
  void twoPeersWithBusyConnectionsCannotShutOutOthers() throws Exception {
    try (TestServer served = served(20, 15)) {
      int port = served.server.port();
      AtomicInteger connected = new AtomicInteger();
      AtomicBoolean over = new AtomicBoolean();
      Thread busy = new Thread(() -> keepBusy(port, connected, over), "busy");
      busy.start();
      try {
        Await.until("a flood", SOON, () -> connected.get() > 200);
        for (int i = 0; i < 5; i++) {
          assertThat(isAnswered(connect("127.0.0.5", port))).isTrue();
        }
      } finally {
        over.set(true);
        busy.join();
      }
    }
  }

  private void keepBusy(int port, AtomicInteger connected, AtomicBoolean over) {
    Deque<Socket> mine = new ArrayDeque<>();
    while (!over.get()) {
      try {
        mine.add(connect("127.0.0." + (2 + connected.get() % 2), port));
        connected.incrementAndGet();
      } catch (IOException e) {
        continue; // rejected
      }
      for (int i = mine.size(); i > 0; i--) {
        Socket one = mine.remove();
        try {
          one.getOutputStream().write('\n');
          mine.add(one);
        } catch (IOException e) {
          // closed by the server
        }
      }
    }
  }

  @Test
  void idleConnectionsMakeRoomForNewOnes() throws Exception {
    try (TestServer served = served(10, 10)) {
      for (int i = 0; i < 10; i++) {
        assertThat(isAnswered(connect("127.0.0.2", served.server.port()))).isTrue();
      }
      Await.until(
          "room, once they are idle",
          SOON,
          () -> {
            try {
              return isAnswered(connect("127.0.0.2", served.server.port()));
            } catch (IOException e) {
              return false;
            }
          });
    }
  }

  @Test
  void acceptingContinuesAfterManyPeersFilledTheListener() throws Exception {
    try (TestServer served = served(20, 10)) {
      for (int i = 0; i < 100; i++) {
        connect("127.0.0." + (2 + i % 50), served.server.port());
      }
      Await.until("an answer", SOON, () -> answers(served));
      close();
      Await.until("an answer", SOON, () -> answers(served));
      assertThat(served.admin("GET", "/metrics", "").statusCode()).isEqualTo(200);
    }
  }

  private boolean answers(TestServer served) {
    try {
      return isAnswered(connect("127.0.0.100", served.server.port()));
    } catch (IOException e) {
      return false;
    }
  }
}
