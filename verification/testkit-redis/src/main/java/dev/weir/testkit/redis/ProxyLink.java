package dev.weir.testkit.redis;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.SocketAddress;
import java.net.StandardSocketOptions;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.util.List;

/** A client's connection and the corresponding connection to the server. */
final class ProxyLink {
  private final SocketChannel client;
  private final SocketChannel server = SocketChannel.open();
  private final ProxyStream there;
  private final ProxyStream back;
  private final SelectionKey clientKey;
  private final SelectionKey serverKey;

  ProxyLink(SocketChannel client, SocketAddress target, Selector selector) throws IOException {
    this.client = client;
    there = new ProxyStream(client, server);
    back = new ProxyStream(server, client);
    clientKey = register(client, selector);
    serverKey = register(server, selector);
    try {
      server.connect(target);
    } catch (IOException e) {
      abort();
    }
  }

  private SelectionKey register(SocketChannel channel, Selector selector) throws IOException {
    channel.configureBlocking(false);
    channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
    return channel.register(selector, 0, this);
  }

  /** Reads what one side has sent, to be forwarded when it is due. */
  void serve(SelectionKey key, long dueNanos) {
    try {
      if (key.isConnectable()) {
        server.finishConnect();
      }
      if (key.isReadable()) {
        (key == clientKey ? there : back).read(dueNanos);
      }
    } catch (IOException e) {
      abort();
    }
  }

  /** Forwards what is due, and returns the maximum nanoseconds until more is due. */
  long flush(long now, boolean swallowing) {
    if (server.isConnectionPending()) {
      serverKey.interestOps(SelectionKey.OP_CONNECT);
    }
    if (isClosed() || server.isConnectionPending()) {
      return Long.MAX_VALUE;
    }
    try {
      for (ProxyStream stream : List.of(there, back)) {
        if (swallowing) {
          stream.drop();
        } else {
          stream.write(now);
        }
      }
    } catch (IOException e) {
      abort();
      return Long.MAX_VALUE;
    }
    if (there.isDone() || back.isDone()) {
      close(client);
      close(server);
      return Long.MAX_VALUE;
    }
    clientKey.interestOps(there.readInterest() | back.writeInterest(now));
    serverKey.interestOps(back.readInterest() | there.writeInterest(now));
    return Math.min(there.nanosToNext(now), back.nanosToNext(now));
  }

  boolean hasGap() {
    return there.hasGap() || back.hasGap();
  }

  boolean isClosed() {
    return !client.isOpen();
  }

  /** Ends both connections with RST. */
  void abort() {
    for (SocketChannel channel : List.of(client, server)) {
      try {
        channel.setOption(StandardSocketOptions.SO_LINGER, 0);
      } catch (IOException e) {
        // Closed already, by RST from the other side.
      }
      close(channel);
    }
  }

  private static void close(SocketChannel channel) {
    try {
      channel.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
