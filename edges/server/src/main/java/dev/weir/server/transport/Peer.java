package dev.weir.server.transport;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/** A client whose connections are counted together: an IPv4 address or an IPv6 /64 network. */
record Peer(boolean ipv6, long prefix) {
  /** The peer of an address; null for one without an IP address, such as a unix socket. */
  static @Nullable Peer of(@Nullable SocketAddress remote) {
    InetAddress address = remote instanceof InetSocketAddress inet ? inet.getAddress() : null;
    if (address == null) {
      return null;
    }
    ByteBuffer bytes = ByteBuffer.wrap(address.getAddress());
    return address instanceof Inet6Address
        ? new Peer(true, bytes.getLong())
        : new Peer(false, bytes.getInt());
  }
}
