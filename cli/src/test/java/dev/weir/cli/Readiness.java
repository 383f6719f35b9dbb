package dev.weir.cli;

import dev.weir.server.warmup.Call;
import dev.weir.server.warmup.Http1Caller;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** Polls {@code /readyz} of a starting server, as load balancers do. */
public final class Readiness {
  private static final Call READYZ = Call.get("/readyz", Map.of());
  private static final long PAUSE_MILLIS = 2;
  private static final long TIMEOUT_NANOS = TimeUnit.SECONDS.toNanos(180);

  private Readiness() {}

  /** Returns as soon as the server on a port is ready. */
  public static void await(int port) throws IOException, InterruptedException {
    try (Http1Caller caller = new Http1Caller(connect(port))) {
      do {
        TimeUnit.MILLISECONDS.sleep(PAUSE_MILLIS);
        caller.send(READYZ);
      } while (caller.receive() != 200);
    }
  }

  /** Connects to a port, and waits for its listener. */
  public static Socket connect(int port) throws IOException, InterruptedException {
    long start = System.nanoTime();
    while (true) {
      try {
        return new Socket(InetAddress.getLoopbackAddress(), port);
      } catch (IOException e) {
        if (System.nanoTime() - start > TIMEOUT_NANOS) {
          throw e;
        }
        TimeUnit.MILLISECONDS.sleep(PAUSE_MILLIS);
      }
    }
  }
}
