package dev.weir.server.xds;

import com.google.protobuf.Any;
import com.google.protobuf.ByteString;
import com.google.protobuf.Message;
import io.envoyproxy.envoy.service.discovery.v3.AggregatedDiscoveryServiceGrpc;
import io.envoyproxy.envoy.service.discovery.v3.DiscoveryRequest;
import io.envoyproxy.envoy.service.discovery.v3.DiscoveryResponse;
import io.grpc.Metadata;
import io.grpc.Server;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.Status;
import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import io.grpc.netty.shaded.io.netty.handler.ssl.SslContext;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** A management server with Envoy's own messages, controlled by a test. */
public final class ManagementServer implements AutoCloseable {
  public static final String TYPE_URL =
      "type.googleapis.com/ratelimit.config.ratelimit.v3.RateLimitConfig";

  private static final int SECONDS = 60;

  private final BlockingQueue<Stream> streams = new LinkedBlockingQueue<>();
  private final BlockingQueue<Metadata> headers = new LinkedBlockingQueue<>();
  private final Server server;

  /** The stream of one client. */
  public static final class Stream implements StreamObserver<DiscoveryRequest> {
    private final ServerCallStreamObserver<DiscoveryResponse> client;
    private final BlockingQueue<DiscoveryRequest> requests = new LinkedBlockingQueue<>();

    Stream(ServerCallStreamObserver<DiscoveryResponse> client) {
      this.client = client;
      client.setOnCancelHandler(() -> {}); // so that late messages are no error
    }

    /** The next request. */
    public DiscoveryRequest next() {
      return take(requests, "request");
    }

    /** Whether no request comes for a while. */
    public boolean isQuiet() throws InterruptedException {
      return requests.poll(200, TimeUnit.MILLISECONDS) == null;
    }

    public void send(String version, String nonce, Message... configs) {
      DiscoveryResponse.Builder response = response(version, nonce);
      for (Message config : configs) {
        response.addResources(resource(TYPE_URL, config.toByteString()));
      }
      send(response);
    }

    public void send(DiscoveryResponse.Builder response) {
      client.onNext(response.build());
    }

    /** Compresses responses from now on. */
    public void compress() {
      client.setCompression("gzip");
    }

    public void fail(Status status) {
      client.onError(status.asException());
    }

    @Override
    public void onNext(DiscoveryRequest request) {
      requests.add(request);
    }

    @Override
    public void onError(Throwable gone) {}

    @Override
    public void onCompleted() {}
  }

  private ManagementServer(int port, @Nullable SslContext tls) throws IOException {
    NettyServerBuilder builder =
        NettyServerBuilder.forAddress(new InetSocketAddress(InetAddress.getLoopbackAddress(), port))
            .directExecutor()
            .permitKeepAliveTime(1, TimeUnit.MILLISECONDS)
            .intercept(
                new ServerInterceptor() {
                  @Override
                  public <Q, A> ServerCall.Listener<Q> interceptCall(
                      ServerCall<Q, A> call, Metadata sent, ServerCallHandler<Q, A> next) {
                    headers.add(sent);
                    return next.startCall(call, sent);
                  }
                })
            .addService(
                new AggregatedDiscoveryServiceGrpc.AggregatedDiscoveryServiceImplBase() {
                  @Override
                  public StreamObserver<DiscoveryRequest> streamAggregatedResources(
                      StreamObserver<DiscoveryResponse> client) {
                    Stream stream =
                        new Stream((ServerCallStreamObserver<DiscoveryResponse>) client);
                    streams.add(stream);
                    return stream;
                  }
                });
    server = (tls == null ? builder : builder.sslContext(tls)).build().start();
  }

  public static ManagementServer start() throws IOException {
    return new ManagementServer(0, null);
  }

  public static ManagementServer on(int port) throws IOException {
    return new ManagementServer(port, null);
  }

  public static ManagementServer withTls(SslContext tls) throws IOException {
    return new ManagementServer(0, tls);
  }

  public int port() {
    return server.getPort();
  }

  public String address() {
    return "127.0.0.1:" + port();
  }

  /** The next stream. */
  public Stream stream() {
    return take(streams, "stream");
  }

  /** The next stream, after its first request. */
  public Stream subscribed() {
    Stream stream = stream();
    var unused = stream.next();
    return stream;
  }

  /** The headers of the next stream. */
  public Metadata headers() {
    return take(headers, "headers");
  }

  public boolean isAlone() throws InterruptedException {
    return streams.poll(300, TimeUnit.MILLISECONDS) == null;
  }

  static DiscoveryResponse.Builder response(String version, String nonce) {
    return DiscoveryResponse.newBuilder()
        .setVersionInfo(version)
        .setNonce(nonce)
        .setTypeUrl(TYPE_URL);
  }

  static Any resource(String type, ByteString bytes) {
    return Any.newBuilder().setTypeUrl(type).setValue(bytes).build();
  }

  private static <T> T take(BlockingQueue<T> queue, String what) {
    try {
      T taken = queue.poll(SECONDS, TimeUnit.SECONDS);
      if (taken == null) {
        throw new AssertionError("no " + what + " within " + SECONDS + " seconds");
      }
      return taken;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  @Override
  public void close() {
    server.shutdownNow();
    try {
      server.awaitTermination(5, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
