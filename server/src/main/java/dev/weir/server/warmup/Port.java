package dev.weir.server.warmup;

import java.net.InetAddress;
import java.net.UnknownHostException;

/**
 * A port that this server listens on.
 *
 * @param host as it is configured; it may stand for every address
 */
public record Port(String host, int number, boolean tls) {

  /** An address of this machine at which it is reached. */
  InetAddress address() throws UnknownHostException {
    InetAddress address = InetAddress.getByName(host);
    return address.isAnyLocalAddress() ? InetAddress.getLoopbackAddress() : address;
  }
}
