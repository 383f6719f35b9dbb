package dev.weir.server.settings;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Arrays;
import java.util.List;

/**
 * An address that a server listens on.
 *
 * @param host a host name or IP address
 * @param port 0 for any free port
 */
public record ListenAddress(String host, int port) {

  /**
   * Whether two listeners cannot have these addresses at the same time. If two listeners have one
   * address, Vert.x distributes connections among both in turn.
   */
  public boolean conflictsWith(ListenAddress other) {
    return port == other.port && port > 0 && (host.equals(other.host) || overlaps(other.host));
  }

  private boolean overlaps(String otherHost) {
    List<InetAddress> ours = resolve(host);
    List<InetAddress> theirs = resolve(otherHost);
    return ours.stream().anyMatch(one -> one.isAnyLocalAddress() && !theirs.isEmpty())
        || theirs.stream().anyMatch(one -> one.isAnyLocalAddress() && !ours.isEmpty())
        || ours.stream().anyMatch(theirs::contains);
  }

  /** An unknown name has no addresses here; listening on it will fail. */
  private static List<InetAddress> resolve(String host) {
    try {
      return Arrays.asList(InetAddress.getAllByName(host));
    } catch (UnknownHostException e) {
      return List.of();
    }
  }

  @Override
  public String toString() {
    return (host.indexOf(':') < 0 ? host : "[" + host + "]") + ":" + port;
  }
}
