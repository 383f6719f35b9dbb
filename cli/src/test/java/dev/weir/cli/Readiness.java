package dev.weir.cli;

import dev.weir.server.warmup.Call;
import dev.weir.server.warmup.Http1Caller;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** {@code /readyz} of a server that is starting, asked again and again, as balancers do. */
final class Readiness {
  private static final Call ASKED = Call.get("/readyz", Map.of());
  private static final long PAUSE_MILLIS = 2;
  private static final long LIMIT_NANOS = TimeUnit.SECONDS.toNanos(180);

  private Readiness() {}

  /** Returns the moment it is ready. */
  static void await(int port) throws IOException, InterruptedException {
    try (Http1Caller caller = new Http1Caller(connect(port))) {
      do {
        TimeUnit.MILLISECONDS.sleep(PAUSE_MILLIS);
        caller.send(ASKED);
      } while (caller.receive() != 200);
    }
  }

  /** A connection to a port on which perhaps nobody listens yet. */
  static Socket connect(int port) throws IOException, InterruptedException {
    long start = System.nanoTime();
    while (true) {
      try {
        return new Socket(InetAddress.getLoopbackAddress(), port);
      } catch (IOException e) {
        if (System.nanoTime() - start > LIMIT_NANOS) {
          throw e;
        }
        TimeUnit.MILLISECONDS.sleep(PAUSE_MILLIS);
      }
    }
  }
}
