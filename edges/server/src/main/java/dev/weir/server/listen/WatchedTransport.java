package dev.weir.server.listen;

import dev.weir.server.transport.ByteBudget;
import dev.weir.server.transport.ConnectionGates;
import dev.weir.server.transport.LoopMonitor;
import io.netty.bootstrap.Bootstrap;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFactory;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelHandler.Sharable;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.ServerChannel;
import io.netty.channel.socket.DatagramChannel;
import io.netty.channel.socket.InternetProtocolFamily;
import io.vertx.core.datagram.DatagramSocketOptions;
import io.vertx.core.net.ClientOptionsBase;
import io.vertx.core.net.NetServerOptions;
import io.vertx.core.transport.Transport;
import java.net.SocketAddress;
import java.util.concurrent.ThreadFactory;

/**
 * A transport of Netty with this server's handlers on every accepted connection. Vert.x has no
 * other hook for connections before their first request.
 *
 * <p>It is epoll where Linux has it and its library can be loaded, else NIO. Thread-safe.
 */
public final class WatchedTransport implements Transport, io.vertx.core.spi.transport.Transport {
  private final io.vertx.core.spi.transport.Transport netty =
      (EPOLL.available() ? EPOLL : NIO).implementation();
  private final SlowRequestGuard guard;
  private final Drain drain;
  private final ConnectionGates gates;
  private final LoopMonitor loops;
  private final ByteBudget budget;

  /**
   * Wraps epoll if it is at hand, else NIO.
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
    EventLoopGroup group = netty.eventLoopGroup(type, size, threads, ioRatio);
    loops.watch(type == ACCEPTOR_EVENT_LOOP_GROUP ? "acceptor" : "requests", group);
    return group;
  }

  @Override
  public void configure(NetServerOptions options, boolean domainSocket, ServerBootstrap bootstrap) {
    netty.configure(options, domainSocket, bootstrap);
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
    return netty.unavailabilityCause();
  }

  @Override
  public boolean isAvailable() {
    return netty.isAvailable();
  }

  @Override
  public boolean supportsDomainSockets() {
    return netty.supportsDomainSockets();
  }

  @Override
  public boolean supportFileRegion() {
    return netty.supportFileRegion();
  }

  @Override
  public SocketAddress convert(io.vertx.core.net.SocketAddress address) {
    return netty.convert(address);
  }

  @Override
  public io.vertx.core.net.SocketAddress convert(SocketAddress address) {
    return netty.convert(address);
  }

  @Override
  public IoHandlerFactory ioHandlerFactory() {
    return netty.ioHandlerFactory();
  }

  @Override
  public DatagramChannel datagramChannel() {
    return netty.datagramChannel();
  }

  @Override
  @SuppressWarnings("deprecation") // part of the interface
  public DatagramChannel datagramChannel(InternetProtocolFamily family) {
    return netty.datagramChannel(family);
  }

  @Override
  public ChannelFactory<? extends Channel> channelFactory(boolean domainSocket) {
    return netty.channelFactory(domainSocket);
  }

  @Override
  public ChannelFactory<? extends ServerChannel> serverChannelFactory(boolean domainSocket) {
    return netty.serverChannelFactory(domainSocket);
  }

  @Override
  public void configure(DatagramChannel channel, DatagramSocketOptions options) {
    netty.configure(channel, options);
  }

  @Override
  public void configure(
      ClientOptionsBase options, int connectTimeout, boolean domainSocket, Bootstrap bootstrap) {
    netty.configure(options, connectTimeout, domainSocket, bootstrap);
  }

  @Override
  public io.vertx.core.spi.transport.Transport implementation() {
    return this;
  }
}
