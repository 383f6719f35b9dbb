package dev.weir.server.listen;

import dev.weir.server.transport.ByteBudget;
import dev.weir.server.transport.ConnectionGates;
import dev.weir.server.transport.LoopMonitor;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelHandler.Sharable;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.ServerChannel;
import io.vertx.core.impl.transports.NioTransport;
import io.vertx.core.net.NetServerOptions;
import io.vertx.core.transport.Transport;
import java.util.concurrent.ThreadFactory;

/**
 * Netty's NIO transport with this server's handlers on every accepted connection. Vert.x has no
 * other hook for connections before their first request.
 *
 * <p>Thread-safe.
 */
public final class WatchedTransport extends NioTransport implements Transport {
  private final SlowRequestGuard guard;
  private final Drain drain;
  private final ConnectionGates gates;
  private final LoopMonitor loops;
  private final ByteBudget budget;

  /**
   * Wraps the NIO transport.
   *
   * @param guard bounds the time in which requests arrive
   * @param gates bound connections per listener
   * @param loops gets every event loop
   * @param budget bounds the bytes of incomplete heads
   */
  public WatchedTransport(
      SlowRequestGuard guard,
      Drain drain,
      ConnectionGates gates,
      LoopMonitor loops,
      ByteBudget budget) {
    this.budget = budget;
    this.guard = guard;
    this.drain = drain;
    this.gates = gates;
    this.loops = loops;
  }

  @Override
  public EventLoopGroup eventLoopGroup(int type, int size, ThreadFactory threads, int ioRatio) {
    EventLoopGroup group = super.eventLoopGroup(type, size, threads, ioRatio);
    loops.watch(type == ACCEPTOR_EVENT_LOOP_GROUP ? "acceptor" : "requests", group);
    return group;
  }

  @Override
  public void configure(NetServerOptions options, boolean domainSocket, ServerBootstrap bootstrap) {
    super.configure(options, domainSocket, bootstrap);
    Accepting accepting = new Accepting();
    ChannelHandler gate = gates.gate(options.getPort());
    bootstrap.handler(
        new ChannelInitializer<ServerChannel>() {
          @Override
          protected void initChannel(ServerChannel channel) {
            channel.pipeline().addLast(gate, accepting);
          }
        });
  }

  @Sharable
  private final class Accepting extends ChannelInboundHandlerAdapter {
    @Override
    public void channelRead(ChannelHandlerContext context, Object accepted) {
      ((Channel) accepted)
          .pipeline()
          .addLast(new FlushBatchingHandler())
          .addLast(Http1RequestGuard.installer(guard, drain, budget));
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
