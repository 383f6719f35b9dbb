package dev.weir.server.xds;

import com.google.protobuf.InvalidProtocolBufferException;
import dev.weir.envoy.service.discovery.v3.DiscoveryRequest;
import dev.weir.envoy.service.discovery.v3.DiscoveryResponse;
import dev.weir.server.wire.Gzip;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpVersion;
import io.vertx.core.net.SocketAddress;
import io.vertx.grpc.client.GrpcClient;
import io.vertx.grpc.client.GrpcClientOptions;
import io.vertx.grpc.client.GrpcClientRequest;
import io.vertx.grpc.client.GrpcClientResponse;
import io.vertx.grpc.common.GrpcMessage;
import io.vertx.grpc.common.GrpcMessageDecoder;
import io.vertx.grpc.common.GrpcMessageEncoder;
import io.vertx.grpc.common.ServiceMethod;
import io.vertx.grpc.common.ServiceName;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * One ADS stream to a management server, on its own connection, from the first request until the
 * stream fails. Responses come one at a time: the next is read when the last has been acknowledged.
 *
 * <p>Confined to the Vert.x context on which it was opened.
 */
final class AdsStream {
  private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(5);
  private static final Buffer PING = Buffer.buffer(new byte[8]);
  private static final int MAX_CAUSES = 10;
  private static final ServiceMethod<DiscoveryResponse, DiscoveryRequest> METHOD =
      ServiceMethod.client(
          ServiceName.create("envoy.service.discovery.v3.AggregatedDiscoveryService"),
          "StreamAggregatedResources",
          GrpcMessageEncoder.encoder(),
          GrpcMessageDecoder.decoder(DiscoveryResponse.getDefaultInstance()));

  private final Vertx vertx;
  private final XdsSettings settings;
  private final Listener listener;
  private final GrpcClient client;
  private @Nullable GrpcClientRequest<DiscoveryRequest, DiscoveryResponse> request;
  private @Nullable GrpcClientResponse<DiscoveryRequest, DiscoveryResponse> response;
  private long pings;
  private boolean pingPending;
  private boolean closed;

  /** Gets the events of a stream. */
  interface Listener {
    /** A response arrived; the listener calls {@link #send} and {@link #next}. */
    void onResponse(DiscoveryResponse response);

    /** The stream has lasted for a while, perhaps without a response: there may be no change. */
    void onEstablished();

    /** The stream has failed or ended, other than by {@link #close}; called once. */
    void onLost(String reason);
  }

  private AdsStream(Vertx vertx, XdsSettings settings, Listener listener) {
    this.vertx = vertx;
    this.settings = settings;
    this.listener = listener;
    GrpcClientOptions messages =
        new GrpcClientOptions().setMaxMessageSize(settings.maxMessageBytes());
    this.client = GrpcClient.client(vertx, messages, options(settings));
  }

  /** Connects and sends the first request. */
  static AdsStream open(
      Vertx vertx, XdsSettings settings, DiscoveryRequest first, Listener listener) {
    AdsStream stream = new AdsStream(vertx, settings, listener);
    var unused =
        server(vertx, settings)
            .compose(server -> stream.client.request(server, METHOD))
            .onComplete(request -> stream.onConnected(request, first), stream::fail);
    return stream;
  }

  /** The address of the server, with the host name that its certificate must match. */
  private static Future<SocketAddress> server(Vertx vertx, XdsSettings settings) {
    XdsTls tls = settings.tls();
    String name = tls == null ? null : tls.name();
    if (name == null) {
      return Future.succeededFuture(
          SocketAddress.inetSocketAddress(settings.port(), settings.host()));
    }
    return vertx.executeBlocking(
        () -> {
          byte[] address = InetAddress.getAllByName(settings.host())[0].getAddress();
          InetAddress named = InetAddress.getByAddress(name, address);
          return SocketAddress.inetSocketAddress(new InetSocketAddress(named, settings.port()));
        });
  }

  private static HttpClientOptions options(XdsSettings settings) {
    XdsTls tls = settings.tls();
    HttpClientOptions options =
        new HttpClientOptions()
            .setProtocolVersion(HttpVersion.HTTP_2)
            .setHttp2ClearTextUpgrade(false)
            .setTcpKeepAlive(true)
            .setConnectTimeout((int) CONNECT_TIMEOUT.toMillis());
    if (tls != null) {
      tls.apply(options);
    }
    return options;
  }

  private void onConnected(
      GrpcClientRequest<DiscoveryRequest, DiscoveryResponse> opened, DiscoveryRequest first) {
    if (closed) {
      opened.cancel();
      return;
    }
    request = opened;
    settings.headers().forEach(opened.headers()::add);
    opened.exceptionHandler(this::fail);
    var unused = opened.response().onComplete(this::onResponseBegun, this::fail);
    send(first);
    pings = vertx.setPeriodic(settings.retries().silence().toMillis(), now -> ping(opened));
    vertx.setTimer(settings.retries().initial().toMillis(), now -> establish());
  }

  private void establish() {
    if (!closed) {
      listener.onEstablished();
    }
  }

  /** Sends a PING, because a stream without changes looks like a lost connection. */
  private void ping(GrpcClientRequest<DiscoveryRequest, DiscoveryResponse> opened) {
    if (pingPending) {
      fail("no response to PING for " + settings.retries().silence().toMillis() + " ms");
      return;
    }
    pingPending = true;
    var unused = opened.connection().ping(PING).onSuccess(pong -> pingPending = false);
  }

  private void onResponseBegun(GrpcClientResponse<DiscoveryRequest, DiscoveryResponse> begun) {
    response = begun;
    begun.exceptionHandler(this::fail);
    begun.errorHandler(error -> fail("reset, " + error));
    begun.endHandler(end -> fail("ended with status " + begun.status() + reason(begun)));
    begun.invalidMessageHandler(
        message ->
            fail(
                "message: too large (expected: at most " + settings.maxMessageBytes() + " bytes)"));
    begun.messageHandler(this::read);
    begun.pause();
    begun.fetch(1);
  }

  private static String reason(GrpcClientResponse<?, ?> ended) {
    String inHeaders = ended.statusMessage();
    String message = inHeaders == null ? ended.trailers().get("grpc-message") : inHeaders;
    return message == null ? "" : ": " + message;
  }

  private void read(GrpcMessage message) {
    if (closed) {
      return;
    }
    try {
      byte[] bytes = message.payload().getBytes();
      if (message.encoding().equals("gzip")) {
        bytes = Gzip.decompress(bytes, settings.maxMessageBytes()).orElse(null);
      }
      if (bytes == null) {
        fail("message: too large when decompressed");
      } else {
        listener.onResponse(DiscoveryResponse.parseFrom(bytes));
      }
    } catch (InvalidProtocolBufferException e) {
      fail("message: cannot be read (expected: a DiscoveryResponse)");
    } catch (IOException e) {
      fail("message: not valid gzip");
    }
  }

  /** Sends an ACK or NACK. */
  void send(DiscoveryRequest answer) {
    if (closed || request == null) {
      return;
    }
    try {
      var unused = request.write(answer).onFailure(this::fail);
    } catch (IllegalStateException e) {
      fail(e); // the stream has just failed, and the handler has not been called yet
    }
  }

  /** Reads the next response. */
  void next() {
    if (!closed && response != null) {
      response.fetch(1);
    }
  }

  private void fail(Throwable failure) {
    Throwable cause = failure;
    for (int i = 0; i < MAX_CAUSES && cause.getCause() != null; i++) {
      cause = cause.getCause();
    }
    String message = cause.getMessage();
    fail(message == null ? cause.getClass().getSimpleName() : message);
  }

  private void fail(String reason) {
    if (!closed) {
      close();
      listener.onLost(ConfigText.plain(reason));
    }
  }

  /** Closes the stream without calling the listener. */
  void close() {
    if (closed) {
      return;
    }
    closed = true;
    if (request != null) {
      vertx.cancelTimer(pings);
      request.cancel();
    }
    var unused = client.close();
  }
}
