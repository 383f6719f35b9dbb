package dev.weir.server.warmup;

import java.net.InetAddress;
import java.net.UnknownHostException;

/**
 * A port that this server listens on.
 *
 * @param host as configured; it may be a wildcard address
 * @param number the port number
 * @param tls whether the port expects TLS
 */
public record Port(String host, int number, boolean tls) {

  /** A local address at which the port can be reached. */
  InetAddress address() throws UnknownHostException {
    InetAddress address = InetAddress.getByName(host);
    return address.isAnyLocalAddress() ? InetAddress.getLoopbackAddress() : address;
  }
}
