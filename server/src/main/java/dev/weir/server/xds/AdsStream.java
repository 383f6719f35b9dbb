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
 * One stream to a management server, on a connection of its own, from the first question until it
 * is lost. Responses come one at a time: the next is read when the last has been answered.
 *
 * <p>Everything happens on the context that it was opened on.
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
  private boolean silent;
  private boolean over;

  /** Who wants to know what becomes of a stream. */
  interface Listener {
    /** A response came; {@link #answer} and {@link #next} follow. */
    void heard(DiscoveryResponse response);

    /** It has lasted for a while, though perhaps without a response: there may be no news. */
    void settled();

    /** It has ended, unless by {@link #close}; told once. */
    void lost(String reason);
  }

  private AdsStream(Vertx vertx, XdsSettings settings, Listener listener) {
    this.vertx = vertx;
    this.settings = settings;
    this.listener = listener;
    GrpcClientOptions messages =
        new GrpcClientOptions().setMaxMessageSize(settings.maxMessageBytes());
    this.client = GrpcClient.client(vertx, messages, options(settings));
  }

  /** Connects and asks. */
  static AdsStream open(
      Vertx vertx, XdsSettings settings, DiscoveryRequest first, Listener listener) {
    AdsStream stream = new AdsStream(vertx, settings, listener);
    var unused =
        server(vertx, settings)
            .compose(server -> stream.client.request(server, METHOD))
            .onComplete(request -> stream.connected(request, first), stream::lose);
    return stream;
  }

  /** Where to connect to, under the name that its certificate must be for. */
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

  private void connected(
      GrpcClientRequest<DiscoveryRequest, DiscoveryResponse> opened, DiscoveryRequest first) {
    if (over) {
      opened.cancel();
      return;
    }
    request = opened;
    settings.headers().forEach(opened.headers()::add);
    opened.exceptionHandler(this::lose);
    var unused = opened.response().onComplete(this::answered, this::lose);
    answer(first);
    pings = vertx.setPeriodic(settings.retries().silence().toMillis(), now -> ping(opened));
    vertx.setTimer(settings.retries().initial().toMillis(), now -> settle());
  }

  private void settle() {
    if (!over) {
      listener.settled();
    }
  }

  /** Who has nothing to say cannot be told from who is gone, except by asking. */
  private void ping(GrpcClientRequest<DiscoveryRequest, DiscoveryResponse> opened) {
    if (silent) {
      lose("no sign of life for " + settings.retries().silence().toMillis() + " ms");
      return;
    }
    silent = true;
    var unused = opened.connection().ping(PING).onSuccess(pong -> silent = false);
  }

  private void answered(GrpcClientResponse<DiscoveryRequest, DiscoveryResponse> begun) {
    response = begun;
    begun.exceptionHandler(this::lose);
    begun.errorHandler(error -> lose("reset, " + error));
    begun.endHandler(end -> lose("ended with status " + begun.status() + reason(begun)));
    begun.invalidMessageHandler(
        large ->
            lose(
                "message: too large (expected: at most " + settings.maxMessageBytes() + " bytes)"));
    begun.messageHandler(this::read);
    begun.pause();
    begun.fetch(1);
  }

  private static String reason(GrpcClientResponse<?, ?> ended) {
    String inHeaders = ended.statusMessage();
    String told = inHeaders == null ? ended.trailers().get("grpc-message") : inHeaders;
    return told == null ? "" : ": " + told;
  }

  private void read(GrpcMessage message) {
    if (over) {
      return;
    }
    try {
      byte[] bytes = message.payload().getBytes();
      if (message.encoding().equals("gzip")) {
        bytes = Gzip.decompress(bytes, settings.maxMessageBytes()).orElse(null);
      }
      if (bytes == null) {
        lose("message: too large when decompressed");
      } else {
        listener.heard(DiscoveryResponse.parseFrom(bytes));
      }
    } catch (InvalidProtocolBufferException e) {
      lose("message: cannot be read (expected: a DiscoveryResponse)");
    } catch (IOException e) {
      lose("message: not what gzip makes");
    }
  }

  /** Says what became of a response. */
  void answer(DiscoveryRequest answer) {
    if (over || request == null) {
      return;
    }
    try {
      var unused = request.write(answer).onFailure(this::lose);
    } catch (IllegalStateException e) {
      lose(e); // it has just broken, and nobody has said so yet
    }
  }

  /** Reads on. */
  void next() {
    if (!over && response != null) {
      response.fetch(1);
    }
  }

  private void lose(Throwable failure) {
    Throwable cause = failure;
    for (int i = 0; i < MAX_CAUSES && cause.getCause() != null; i++) {
      cause = cause.getCause();
    }
    String told = cause.getMessage();
    lose(told == null ? cause.getClass().getSimpleName() : told);
  }

  private void lose(String reason) {
    if (!over) {
      close();
      listener.lost(ConfigText.plain(reason));
    }
  }

  /** Ends it, without a word. */
  void close() {
    if (over) {
      return;
    }
    over = true;
    if (request != null) {
      vertx.cancelTimer(pings);
      request.cancel();
    }
    var unused = client.close();
  }
}
