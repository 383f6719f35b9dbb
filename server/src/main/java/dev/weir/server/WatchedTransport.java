package dev.weir.server;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandler.Sharable;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.vertx.core.impl.transports.NioTransport;
import io.vertx.core.net.NetServerOptions;
import io.vertx.core.transport.Transport;

/** The way Vert.x lets one see connections before they have said anything. */
final class WatchedTransport extends NioTransport implements Transport {
  private final Arrivals arrivals;
  private final Drain drain;

  WatchedTransport(Arrivals arrivals, Drain drain) {
    this.arrivals = arrivals;
    this.drain = drain;
  }

  @Override
  public void configure(NetServerOptions options, boolean domainSocket, ServerBootstrap bootstrap) {
    super.configure(options, domainSocket, bootstrap);
    bootstrap.handler(new Accepting());
  }

  @Sharable
  private final class Accepting extends ChannelInboundHandlerAdapter {
    @Override
    public void channelRead(ChannelHandlerContext context, Object accepted) {
      ((Channel) accepted)
          .pipeline()
          .addLast(new FlushedTogether())
          .addLast(ArrivingOnHttp1.first(arrivals, drain));
      context.fireChannelRead(accepted);
    }
  }

  @Override
  public String name() {
    return "weir";
  }

  @Override
  public boolean available() {
    return isAvailable();
  }

  @Override
  public Throwable unavailabilityCause() {
    return super.unavailabilityCause();
  }

  @Override
  public io.vertx.core.spi.transport.Transport implementation() {
    return this;
  }
}
