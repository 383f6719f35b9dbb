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
 * opens one; if there are as many as there may be, it waits for the next one in the order of
 * requests.
 */
final class HttpTransport implements Transport {
  private static final int CONNECT_TIMEOUT_MILLIS = 60_000; // the loop gives up sooner
  private static final Object WAITING = new Object();

  private final Bootstrap bootstrap;
  private final int maxConnections;
  private final Deque<Exchange> waiting = new ArrayDeque<>();
  private int connections;
  private final Deque<Connection> idle = new ArrayDeque<>();

  HttpTransport(
      EventLoop loop,
      Class<? extends SocketChannel> channel,
      SocketAddress address,
      int maxConnections) {
    this.maxConnections = maxConnections;
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
    ChannelFuture connecting = open();
    return connecting.addListener(
        done -> {
          if (done.isSuccess()) {
            onIdle(connecting.channel().pipeline().get(Connection.class));
          }
        });
  }

  private ChannelFuture open() {
    connections++;
    ChannelFuture connecting = bootstrap.connect();
    return connecting.addListener(
        done -> {
          if (done.isSuccess()) {
            connecting.channel().closeFuture().addListener(closed -> onClosed());
          } else {
            onClosed();
          }
        });
  }

  private void onClosed() {
    connections--;
    Exchange next = nextWaiting();
    if (next != null) {
      connect(next);
    }
  }

  @Override
  public void send(Exchange exchange) {
    Connection connection = takeOpen();
    if (connection != null) {
      connection.send(exchange);
    } else if (connections < maxConnections) {
      connect(exchange);
    } else {
      exchange.attach(WAITING);
      waiting.addLast(exchange);
    }
  }

  private void connect(Exchange exchange) {
    ChannelFuture connecting = open();
    exchange.attach(connecting);
    connecting.addListener(done -> onConnect(connecting, exchange));
  }

  /** Takes the request that has waited longest, if any; those that were abandoned are dropped. */
  private @Nullable Exchange nextWaiting() {
    Exchange next = waiting.pollFirst();
    while (next != null && next.attachment() != WAITING) {
      next = waiting.pollFirst();
    }
    return next;
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
    } else if (exchange == waiting.peekFirst()) {
      waiting.pollFirst(); // clients give up in the order of their requests
    }
  }

  /** Takes back a connection whose request is answered. */
  void onIdle(Connection connection) {
    Exchange next = nextWaiting();
    if (next == null) {
      idle.addLast(connection);
    } else {
      connection.send(next);
    }
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
