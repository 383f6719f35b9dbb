package dev.weir.testkit;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Free ports on loopback, each returned once until all have been.
 *
 * <p>They lie below the ephemeral ports, which the kernel assigns to outgoing connections (from
 * 32768 on Linux). An ephemeral port could be taken between the moment it was found free and the
 * moment a server listens on it, or while a killed server restarts, even by a client that connects
 * to itself. The upper half of the range is for cluster buses, always 10,000 above their node; so
 * no node is ever on another's bus.
 */
public final class Ports {
  private static final int FIRST = 12_000;
  private static final int COUNT = 10_000;
  private static final int BUS = 10_000;

  // JVMs that run in parallel start at different ports.
  private static final AtomicLong NEXT = new AtomicLong(ProcessHandle.current().pid() * 199);

  private Ports() {}

  /**
   * A port that is free, and whose cluster bus port is free.
   *
   * @throws IllegalStateException if all ports of the range are taken
   */
  public static int free() {
    for (int i = 0; i < COUNT; i++) {
      int port = FIRST + (int) (NEXT.getAndIncrement() % COUNT);
      if (isFree(port) && isFree(port + BUS)) {
        return port;
      }
    }
    throw new IllegalStateException("no free port from " + FIRST + " on");
  }

  private static boolean isFree(int port) {
    try (ServerSocket socket = new ServerSocket()) {
      socket.setReuseAddress(true);
      socket.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
      return true;
    } catch (IOException e) {
      return false;
    }
  }
}
