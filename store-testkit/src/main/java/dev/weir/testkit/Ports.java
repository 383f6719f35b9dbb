package dev.weir.testkit;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Free ports on loopback, each handed out once until all have been.
 *
 * <p>They lie below the ports that the kernel gives to outgoing connections (from 32768 on Linux):
 * there a port whose server was killed could be taken before its restart, even by a client that
 * connects to itself, or between the moment it was found free and that in which a server listens on
 * it. The upper half is for cluster buses, always 10,000 above their node; so no node is ever on
 * another's bus.
 */
public final class Ports {
  private static final int FIRST = 12_000;
  private static final int COUNT = 10_000;
  private static final int BUS = 10_000;

  // JVMs that run side by side begin at different places.
  private static final AtomicLong NEXT = new AtomicLong(ProcessHandle.current().pid() * 199);

  private Ports() {}

  /** A port on which nobody listens, nor on its cluster bus. */
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
