package dev.weir.server.transport;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/** Whose connections are counted together: those of an IPv4 address, or of a /64 of IPv6. */
record Peer(boolean ipv6, long prefix) {
  /** Null for what has no address, such as a unix socket. */
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
