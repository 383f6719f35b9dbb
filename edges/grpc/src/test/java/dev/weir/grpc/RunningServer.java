package dev.weir.grpc;

import static java.util.Objects.requireNonNull;

import com.google.protobuf.StringValue;
import io.grpc.CallOptions;
import io.grpc.ClientInterceptor;
import io.grpc.ClientInterceptors;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.Server;
import io.grpc.ServerInterceptor;
import io.grpc.ServerInterceptors;
import io.grpc.ServerServiceDefinition;
import io.grpc.StatusRuntimeException;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.MetadataUtils;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.UnaryOperator;

/** A real server on a free port of loopback, with a channel to it. */
final class RunningServer implements AutoCloseable {
  private final Server server;
  private final ManagedChannel channel;

  private RunningServer(Server server, ManagedChannel channel) {
    this.server = server;
    this.channel = channel;
  }

  /** A server whose interceptors see calls in the order in which they are given. */
  static RunningServer start(Echo echo, ServerInterceptor... interceptors) throws IOException {
    return start(echo.service(), builder -> builder, builder -> builder, interceptors);
  }

  static RunningServer start(
      ServerServiceDefinition service,
      UnaryOperator<NettyServerBuilder> serverSettings,
      UnaryOperator<NettyChannelBuilder> channelSettings,
      ServerInterceptor... interceptors)
      throws IOException {
    Server server =
        serverSettings
            .apply(NettyServerBuilder.forAddress(loopback(0)))
            .addService(ServerInterceptors.interceptForward(service, interceptors))
            .build()
            .start();
    return new RunningServer(
        server,
        channelSettings
            .apply(NettyChannelBuilder.forAddress(loopback(server.getPort())).usePlaintext())
            .build());
  }

  private static InetSocketAddress loopback(int port) {
    return new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
  }

  ManagedChannel channel() {
    return channel;
  }

  /** Makes a unary call, and returns how it ended. */
  Outcome call(String text) {
    return call(Echo.UNARY, text, new Metadata());
  }

  Outcome call(MethodDescriptor<StringValue, StringValue> method, String text, Metadata metadata) {
    AtomicReference<Metadata> headers = new AtomicReference<>(new Metadata());
    AtomicReference<Metadata> trailers = new AtomicReference<>(new Metadata());
    ClientInterceptor capture = MetadataUtils.newCaptureMetadataInterceptor(headers, trailers);
    ClientInterceptor attach = MetadataUtils.newAttachHeadersInterceptor(metadata);
    try {
      StringValue response =
          ClientCalls.blockingUnaryCall(
              ClientInterceptors.intercept(channel, capture, attach),
              method,
              CallOptions.DEFAULT.withDeadlineAfter(60, TimeUnit.SECONDS),
              Echo.text(text));
      return Outcome.ok(
          response.getValue(), requireNonNull(headers.get()), requireNonNull(trailers.get()));
    } catch (StatusRuntimeException e) {
      return Outcome.failed(e, headers.get());
    }
  }

  @Override
  public void close() {
    channel.shutdownNow();
    server.shutdownNow();
    try {
      if (!channel.awaitTermination(60, TimeUnit.SECONDS)
          || !server.awaitTermination(60, TimeUnit.SECONDS)) {
        throw new IllegalStateException("the server did not stop");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
