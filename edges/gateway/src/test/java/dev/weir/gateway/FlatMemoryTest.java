package dev.weir.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.testkit.Effort;
import io.netty.util.internal.PlatformDependent;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.lang.management.BufferPoolMXBean;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Large bodies to slow readers: the gateway holds back the sender, and its memory stays flat.
 * Sender and reader are plain sockets that buffer nothing, so that what grows is the gateway.
 */
@Timeout(900)
class FlatMemoryTest {
  private static final long MIB = 1 << 20;

  /** 256 MiB; the thorough profile sends 2 GiB. */
  private static final long LARGE = Effort.of(256, 2_048) * MIB;

  private static final int PART = 64 << 10;
  private static final int STALLS = 8;

  /** The buffers of four sockets in the kernel, and the queues of the gateway. */
  private static final long MAX_UNREAD = 64 * MIB;

  private static final long MAX_HEAP_GROWTH = 24 * MIB;
  private static final long MAX_DIRECT_GROWTH = 32 * MIB;

  private final AtomicLong sent = new AtomicLong();

  /** What the process uses after a collection of garbage. */
  private record Memory(long heap, long direct) {
    static Memory now() {
      System.gc();
      long direct =
          ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class).stream()
              .filter(pool -> pool.getName().equals("direct"))
              .mapToLong(BufferPoolMXBean::getMemoryUsed)
              .sum();
      // Netty counts what it allocates without a cleaner, which is no part of the pool above.
      return new Memory(
          ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed(),
          direct + Math.max(0, PlatformDependent.usedDirectMemory()));
    }
  }

  private static ServerSocket listen() throws IOException {
    return new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
  }

  private static String readHead(InputStream in) throws IOException {
    StringBuilder head = new StringBuilder();
    while (head.indexOf("\r\n\r\n") < 0) {
      int next = in.read();
      assertThat(next).as(head.toString()).isNotNegative();
      head.append((char) next);
    }
    return head.toString();
  }

  private static void write(Socket socket, String text) throws IOException {
    socket.getOutputStream().write(text.getBytes(StandardCharsets.ISO_8859_1));
  }

  /** Sends the large body on a thread of its own, as fast as it is taken. */
  private Thread sendBody(Socket to) {
    Thread sender =
        new Thread(
            () -> {
              byte[] part = new byte[PART];
              try {
                OutputStream out = to.getOutputStream();
                while (sent.get() < LARGE) {
                  out.write(part);
                  sent.addAndGet(PART);
                }
              } catch (IOException e) {
                sent.set(Long.MIN_VALUE); // the gateway has closed the connection
              }
            },
            "sender");
    sender.setDaemon(true);
    sender.start();
    return sender;
  }

  /** Reads the body with stalls, in which nothing more is buffered than the connections hold. */
  private void readSlowly(InputStream in, Memory before) throws Exception {
    byte[] part = new byte[PART];
    long read = 0;
    for (int stall = 0; stall < STALLS; stall++) {
      awaitHeldBack();
      Memory now = Memory.now();
      assertThat(sent.get() - read).as("sent, but not read").isBetween(0L, MAX_UNREAD);
      assertThat(now.heap() - before.heap()).as("growth of the heap").isLessThan(MAX_HEAP_GROWTH);
      assertThat(now.direct() - before.direct())
          .as("growth of direct memory")
          .isLessThan(MAX_DIRECT_GROWTH);
      long until = LARGE / STALLS * (stall + 1);
      while (read < until) {
        int bytes = in.read(part, 0, (int) Math.min(PART, until - read));
        assertThat(bytes).as("after %d bytes", read).isPositive();
        read += bytes;
      }
    }
    assertThat(sent.get()).isEqualTo(LARGE);
  }

  /** Waits until the sender gets nothing away for a while; if it does later, nothing is lost. */
  private void awaitHeldBack() throws InterruptedException {
    long last = -1;
    for (int same = 0; same < 10; ) {
      long now = sent.get();
      same = now == last ? same + 1 : 0;
      last = now;
      Thread.sleep(10);
    }
  }

  @Test
  void responseToASlowClientIsHeldBack() throws Exception {
    try (ServerSocket server = listen();
        TestGateway gateway =
            TestGateway.to(TestGateway.OPEN, "http://127.0.0.1:" + server.getLocalPort());
        RawHttp client = new RawHttp(gateway.port())) {
      Memory before = Memory.now();
      client.send("GET /large HTTP/1.1\r\nHost: a\r\n\r\n");
      try (Socket upstream = server.accept()) {
        readHead(upstream.getInputStream());
        write(upstream, "HTTP/1.1 200 OK\r\nContent-Length: " + LARGE + "\r\n\r\n");
        Thread sender = sendBody(upstream);
        InputStream in = client.socket.getInputStream();
        assertThat(readHead(in)).startsWith("HTTP/1.1 200 ");
        readSlowly(in, before);
        sender.join();
      }
    }
  }

  @Test
  void requestToASlowUpstreamIsHeldBack() throws Exception {
    try (ServerSocket server = listen();
        TestGateway gateway =
            TestGateway.to(TestGateway.OPEN, "http://127.0.0.1:" + server.getLocalPort());
        RawHttp client = new RawHttp(gateway.port())) {
      Memory before = Memory.now();
      client.send("POST /large HTTP/1.1\r\nHost: a\r\nContent-Length: " + LARGE + "\r\n\r\n");
      Thread sender = sendBody(client.socket);
      try (Socket upstream = server.accept()) {
        InputStream in = upstream.getInputStream();
        assertThat(readHead(in)).startsWith("POST /large ");
        readSlowly(in, before);
        sender.join();
        write(upstream, ScriptedUpstream.ok("thanks"));
        assertThat(client.readUntil("thanks")).startsWith("HTTP/1.1 200 ").endsWith("thanks");
      }
    }
  }
}
