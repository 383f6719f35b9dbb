package dev.weir.server;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Arrays;
import java.util.List;

/**
 * Where a server listens.
 *
 * @param port 0 for any that is free
 */
public record ListenAddress(String host, int port) {

  /**
   * Whether both cannot be listened on by two. Of two listeners on one address, Vert.x would let
   * each take every other connection.
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

  /** A name that is no one's is refused when it is listened on. */
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
