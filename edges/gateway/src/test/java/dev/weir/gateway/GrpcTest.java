package dev.weir.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.grpc.CallOptions;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.MethodDescriptor.MethodType;
import io.grpc.Server;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.ServerServiceDefinition;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.ServerCalls;
import io.grpc.stub.StreamObserver;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Calls of gRPC's own client to its own server, through the gateway. */
@Timeout(120)
class GrpcTest {
  private static final Metadata.Key<String> ASKED =
      Metadata.Key.of("x-asked", Metadata.ASCII_STRING_MARSHALLER);
  private static final Metadata.Key<byte[]> DETAILS =
      Metadata.Key.of("x-details-bin", Metadata.BINARY_BYTE_MARSHALLER);
  private static final byte[] BYTES = {0, 1, -1, 127};
  private static final String END = "end";

  private static final MethodDescriptor<String, String> UNARY = method(MethodType.UNARY, "Unary");
  private static final MethodDescriptor<String, String> CHAT =
      method(MethodType.BIDI_STREAMING, "Chat");

  private Server server;
  private TestGateway gateway;
  private ManagedChannel channel;

  private static MethodDescriptor<String, String> method(MethodType type, String name) {
    return MethodDescriptor.<String, String>newBuilder()
        .setType(type)
        .setFullMethodName("test.Echo/" + name)
        .setRequestMarshaller(new Text())
        .setResponseMarshaller(new Text())
        .build();
  }

  private static final class Text implements MethodDescriptor.Marshaller<String> {
    @Override
    public InputStream stream(String value) {
      return new ByteArrayInputStream(value.getBytes(StandardCharsets.UTF_8));
    }

    @Override
    public String parse(InputStream stream) {
      try {
        return new String(stream.readAllBytes(), StandardCharsets.UTF_8);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  /** Puts the metadata of each call into its trailers. */
  private static final class EchoTrailers implements ServerInterceptor {
    @Override
    public <A, B> ServerCall.Listener<A> interceptCall(
        ServerCall<A, B> call, Metadata headers, ServerCallHandler<A, B> next) {
      return next.startCall(
          new io.grpc.ForwardingServerCall.SimpleForwardingServerCall<A, B>(call) {
            @Override
            public void close(Status status, Metadata trailers) {
              String asked = headers.get(ASKED);
              if (asked != null) {
                trailers.put(ASKED, asked);
              }
              trailers.put(DETAILS, BYTES);
              super.close(status, trailers);
            }
          },
          headers);
    }
  }

  private static void unary(String request, StreamObserver<String> response) {
    if (request.isEmpty()) {
      response.onError(
          Status.FAILED_PRECONDITION.withDescription("nothing to say: ü %").asRuntimeException());
      return;
    }
    response.onNext("echo " + request);
    response.onCompleted();
  }

  private static StreamObserver<String> chat(StreamObserver<String> response) {
    return new StreamObserver<>() {
      @Override
      public void onNext(String value) {
        response.onNext("echo " + value);
      }

      @Override
      public void onError(Throwable failure) {}

      @Override
      public void onCompleted() {
        response.onNext("bye");
        response.onCompleted();
      }
    };
  }

  @BeforeEach
  void start() throws IOException {
    server =
        NettyServerBuilder.forAddress(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
            .addService(
                ServerServiceDefinition.builder("test.Echo")
                    .addMethod(UNARY, ServerCalls.asyncUnaryCall(GrpcTest::unary))
                    .addMethod(CHAT, ServerCalls.asyncBidiStreamingCall(GrpcTest::chat))
                    .build())
            .intercept(new EchoTrailers())
            .build()
            .start();
    gateway =
        TestGateway.configured(
            "upstreams: {up: {servers: [\"http://127.0.0.1:"
                + server.getPort()
                + "\"], protocol: http2}}\n"
                + "rules: [{name: calls, limit: 5/day, algorithm: fixed-window}]\n");
    channel = NettyChannelBuilder.forAddress("127.0.0.1", gateway.port()).usePlaintext().build();
  }

  @AfterEach
  void stop() throws InterruptedException {
    channel.shutdownNow();
    gateway.close();
    server.shutdownNow();
    assertThat(channel.awaitTermination(60, TimeUnit.SECONDS)).isTrue();
    assertThat(server.awaitTermination(60, TimeUnit.SECONDS)).isTrue();
  }

  private String call(String request) {
    return ClientCalls.blockingUnaryCall(channel, UNARY, CallOptions.DEFAULT, request);
  }

  @Test
  void unaryCallsPassAndTheLimitHolds() {
    String large = "x".repeat(1 << 20);
    assertThat(call(large)).isEqualTo("echo " + large);
    for (int i = 0; i < 4; i++) {
      assertThat(call("hello")).isEqualTo("echo hello");
    }
    StatusRuntimeException denied =
        catchThrowableOfType(StatusRuntimeException.class, () -> call("hello"));
    // What gRPC makes of the status 429.
    assertThat(denied.getStatus().getCode()).isEqualTo(Status.Code.UNAVAILABLE);
    assertThat(denied.getStatus().getDescription()).contains("429");
  }

  @Test
  void errorKeepsItsStatusMessageAndTrailers() {
    StatusRuntimeException failed =
        catchThrowableOfType(StatusRuntimeException.class, () -> call(""));
    assertThat(failed.getStatus().getCode()).isEqualTo(Status.Code.FAILED_PRECONDITION);
    assertThat(failed.getStatus().getDescription()).isEqualTo("nothing to say: ü %");
    Metadata trailers = failed.getTrailers();
    assertThat(trailers).isNotNull();
    assertThat(trailers.get(DETAILS)).isEqualTo(BYTES);
  }

  /**
   * Each message is answered before the next is sent, so that both directions must flow at once.
   */
  @Test
  void messagesFlowBothWaysAtOnceAndTrailersAreKept() throws Exception {
    BlockingQueue<String> heard = new LinkedBlockingQueue<>();
    Metadata headers = new Metadata();
    headers.put(ASKED, "for this");
    Metadata[] trailers = new Metadata[1];
    var call = channel.newCall(CHAT, CallOptions.DEFAULT);
    call.start(
        new io.grpc.ClientCall.Listener<>() {
          @Override
          public void onMessage(String message) {
            heard.add(message);
            call.request(1);
          }

          @Override
          public void onClose(Status status, Metadata last) {
            trailers[0] = last;
            heard.add(END + status.getCode());
          }
        },
        headers);
    call.request(1);
    for (int i = 0; i < 200; i++) {
      call.sendMessage("message " + i);
      assertThat(heard.poll(60, TimeUnit.SECONDS)).isEqualTo("echo message " + i);
    }
    call.halfClose();
    assertThat(heard.poll(60, TimeUnit.SECONDS)).isEqualTo("bye");
    assertThat(heard.poll(60, TimeUnit.SECONDS)).isEqualTo(END + Status.Code.OK);
    assertThat(trailers[0].get(ASKED)).isEqualTo("for this");
    assertThat(trailers[0].get(DETAILS)).isEqualTo(BYTES);
  }
}
