package dev.weir.load.client;

import dev.weir.load.engine.Exchange;
import dev.weir.load.engine.Transport;
import dev.weir.load.measure.Outcome;
import io.netty.bootstrap.Bootstrap;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoop;
import io.netty.channel.socket.SocketChannel;
import java.net.SocketAddress;
import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/**
 * HTTP/1.1 over keep-alive connections, each with one request at a time.
 *
 * <p>Confined to one event loop. A request takes an idle connection, the one used last first, or
 * opens one. So there are never more connections than requests were in flight at once.
 */
final class HttpTransport implements Transport {
  private static final int CONNECT_TIMEOUT_MILLIS = 60_000; // the loop gives up sooner

  private final Bootstrap bootstrap;
  private final Deque<Connection> idle = new ArrayDeque<>();

  HttpTransport(EventLoop loop, Class<? extends SocketChannel> channel, SocketAddress address) {
    bootstrap =
        new Bootstrap()
            .group(loop)
            .channel(channel)
            .remoteAddress(address)
            .option(ChannelOption.TCP_NODELAY, true)
            .option(ChannelOption.CONNECT_TIMEOUT_MILLIS, CONNECT_TIMEOUT_MILLIS)
            // A client that gives up resets the connection: its port is free again at once.
            .option(ChannelOption.SO_LINGER, 0)
            .handler(
                new ChannelInitializer<SocketChannel>() {
                  @Override
                  protected void initChannel(SocketChannel opened) {
                    Connection connection = new Connection(HttpTransport.this);
                    opened.pipeline().addLast(new ResponseDecoder(connection), connection);
                  }
                });
  }

  /** Opens a connection that is idle at first. */
  ChannelFuture connect() {
    ChannelFuture connecting = bootstrap.connect();
    return connecting.addListener(
        done -> {
          if (done.isSuccess()) {
            onIdle(connecting.channel().pipeline().get(Connection.class));
          }
        });
  }

  @Override
  public void send(Exchange exchange) {
    Connection connection = takeOpen();
    if (connection != null) {
      connection.send(exchange);
    } else {
      ChannelFuture connecting = bootstrap.connect();
      exchange.attach(connecting);
      connecting.addListener(done -> onConnect(connecting, exchange));
    }
  }

  private static void onConnect(ChannelFuture connecting, Exchange exchange) {
    if (exchange.attachment() != connecting) {
      var unused = connecting.channel().close(); // abandoned meanwhile
    } else if (connecting.isSuccess()) {
      connecting.channel().pipeline().get(Connection.class).send(exchange);
    } else {
      exchange.onFailure(Outcome.NOT_CONNECTED);
    }
  }

  @Override
  public void abandon(Exchange exchange) {
    Object attachment = exchange.attachment();
    exchange.attach(this);
    if (attachment instanceof Connection connection) {
      connection.abandon();
    } else if (attachment instanceof ChannelFuture connecting) {
      var unused = connecting.channel().close();
    }
  }

  /** Takes back a connection whose request is answered. */
  void onIdle(Connection connection) {
    idle.addLast(connection);
  }

  /** The idle connection that was used last; those that the server closed are forgotten. */
  private @Nullable Connection takeOpen() {
    Connection connection = idle.pollLast();
    while (connection != null && !connection.isOpen()) {
      connection = idle.pollLast();
    }
    return connection;
  }

  /** Closes the idle connections. */
  void close() {
    for (Connection open = takeOpen(); open != null; open = takeOpen()) {
      open.abandon();
    }
  }
}
