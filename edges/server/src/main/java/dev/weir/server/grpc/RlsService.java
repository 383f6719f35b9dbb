package dev.weir.server.grpc;

import dev.weir.envoy.service.ratelimit.v3.RateLimitRequest;
import dev.weir.envoy.service.ratelimit.v3.RateLimitResponse;
import dev.weir.envoy.service.ratelimit.v3.RlsProto;
import dev.weir.rules.domain.DescriptorRules;
import dev.weir.server.access.AccessRefused;
import dev.weir.server.access.AllowedHosts;
import dev.weir.server.access.BrowserOrigin;
import dev.weir.server.access.OperationsAccess;
import dev.weir.server.rls.RlsEngine;
import dev.weir.server.rls.RlsListener;
import dev.weir.server.rls.RlsReply;
import dev.weir.server.rls.RlsRequest;
import dev.weir.server.telemetry.RequestObserver;
import dev.weir.server.telemetry.Telemetry;
import dev.weir.server.transport.ByteBudget;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.grpc.common.GrpcMessageDecoder;
import io.vertx.grpc.common.GrpcMessageEncoder;
import io.vertx.grpc.common.GrpcStatus;
import io.vertx.grpc.common.ServiceMethod;
import io.vertx.grpc.common.ServiceName;
import io.vertx.grpc.reflection.ReflectionService;
import io.vertx.grpc.server.GrpcProtocol;
import io.vertx.grpc.server.GrpcServer;
import io.vertx.grpc.server.GrpcServerOptions;
import io.vertx.grpc.server.GrpcServerRequest;
import io.vertx.grpc.server.Service;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * The services on the gRPC port: rate limit, health and reflection. Safe for use by any number of
 * threads.
 */
public final class RlsService {
  /** The name under which health is reported, beside that of the service. */
  static final String HEALTH = "ratelimit";

  /** The name of the endpoint in logs and spans. */
  private static final String ENDPOINT = "rls";

  static final String PATH = "/envoy.service.ratelimit.v3.RateLimitService/ShouldRateLimit";
  private static final ServiceName NAME =
      ServiceName.create("envoy.service.ratelimit.v3.RateLimitService");
  private static final GrpcMessageDecoder<RateLimitRequest> DECODER =
      GrpcMessageDecoder.decoder(RateLimitRequest.getDefaultInstance());
  private static final ServiceMethod<RateLimitRequest, RateLimitResponse> SHOULD_RATE_LIMIT =
      ServiceMethod.server(NAME, "ShouldRateLimit", GrpcMessageEncoder.encoder(), DECODER);

  /** Web pages do not speak gRPC, so addresses and localhost suffice as hosts. */
  private static final AllowedHosts PAGES = AllowedHosts.forPages("localhost", List.of());

  private final RlsEngine engine;
  private final Supplier<DescriptorRules> rules;
  private final OperationsAccess access;
  private final Telemetry telemetry;
  private final Health health = new Health(Set.of(HEALTH, NAME.fullyQualifiedName()));
  private final GrpcServer server;
  private volatile boolean held;

  /** No rules are loaded yet; that is not the same as rules without limits. */
  static final class NotLoaded extends RuntimeException {
    private static final long serialVersionUID = 1;

    NotLoaded() {
      super("no rate limit configuration loaded", null, false, false);
    }
  }

  /**
   * A service that decides with an engine, by the rules that are current at each request.
   *
   * @param access decides which clients may refund, by negative hits
   * @param telemetry gets what becomes of calls
   */
  public RlsService(
      Vertx vertx,
      RlsEngine engine,
      Supplier<DescriptorRules> rules,
      OperationsAccess access,
      Telemetry telemetry) {
    this.engine = engine;
    this.rules = rules;
    this.access = access;
    this.telemetry = telemetry;
    GrpcServerOptions options =
        new GrpcServerOptions()
            .setMaxMessageSize(Health.MAX_BYTES)
            .removeEnabledProtocol(GrpcProtocol.WEB)
            .removeEnabledProtocol(GrpcProtocol.WEB_TEXT)
            .removeEnabledProtocol(GrpcProtocol.TRANSCODING);
    Service service =
        Service.service(NAME, RlsProto.getDescriptor().findServiceByName("RateLimitService"))
            .bind(SHOULD_RATE_LIMIT, RlsService::rejectContentType)
            .build();
    this.server =
        GrpcServer.server(vertx, options)
            .addService(service)
            .addService(health.service())
            .addService(ReflectionService.v1());
  }

  /** Rejects a call that is not a {@link UnaryCall#isUnary unary one}, such as one in JSON. */
  static void rejectContentType(GrpcServerRequest<?, ?> request) {
    String reason = "content-type: not supported (expected: application/grpc)";
    var unused = request.response().status(GrpcStatus.UNIMPLEMENTED).statusMessage(reason).end();
  }

  /** The clock of {@link RlsEngine#nowMicros}, for the arrival of requests. */
  long nowMicros() {
    return engine.nowMicros();
  }

  /**
   * Answers a message, whatever the transport.
   *
   * @param arrivedMicros when the headers of the request arrived, by {@link #nowMicros}
   * @param seen notes what becomes of it
   * @throws RlsRequest.Refused if it is malformed
   * @throws NotLoaded if no rules are loaded yet
   */
  CompletionStage<RateLimitResponse> answer(
      RateLimitRequest message, long arrivedMicros, RequestObserver seen) {
    return decide(message, arrivedMicros, seen, reply -> response(message, reply));
  }

  /** Decides a message like {@link #answer}, but leaves it to the caller to make a response. */
  CompletionStage<RlsReply> decide(
      RateLimitRequest message, long arrivedMicros, RequestObserver seen) {
    return decide(message, arrivedMicros, seen, reply -> reply);
  }

  /** The response for a reply. */
  RateLimitResponse response(RateLimitRequest message, RlsReply reply) {
    return RlsCodec.response(message, reply, engine.settings());
  }

  private <T> CompletionStage<T> decide(
      RateLimitRequest message,
      long arrivedMicros,
      RequestObserver seen,
      Function<RlsReply, T> converter) {
    RlsListener listener = engine.listener();
    if (held) {
      listener.onFailed();
      throw new NotLoaded();
    }
    try {
      return engine
          .decide(rules.get(), RlsCodec.request(message), arrivedMicros, RlsNotes.of(seen))
          .handle(
              (reply, failure) -> {
                if (failure != null) {
                  listener.onFailed();
                  throw failure instanceof CompletionException known
                      ? known
                      : new CompletionException(failure);
                }
                return converter.apply(reply);
              });
    } catch (RlsRequest.Refused e) {
      listener.onRefused();
      throw e;
    } catch (RuntimeException e) {
      listener.onFailed();
      throw e;
    }
  }

  /**
   * Checks that a client may refund, if its message does.
   *
   * @param elsewhere where a refund needs no token
   * @throws AccessRefused if it may not; nothing is charged then
   */
  void check(
      OperationsAccess allowed,
      HttpServerRequest request,
      RateLimitRequest message,
      String elsewhere) {
    if (RlsCodec.isRefund(message)) {
      try {
        allowed.check(request, "hits: negative", elsewhere);
      } catch (AccessRefused e) {
        engine.listener().onRefused();
        throw e;
      }
    }
  }

  /** Counts a request whose body is not a valid message. */
  void onUnreadable() {
    engine.listener().onRefused();
  }

  /**
   * Answers a call.
   *
   * @param share the memory budget for the message while it arrives
   */
  public void handle(HttpServerRequest request, ByteBudget.Share share) {
    if (BrowserOrigin.foreign(request, PAGES).isPresent()) {
      String reason = "Origin: of another site (expected: none)";
      UnaryCall.refuse(request, GrpcStatus.PERMISSION_DENIED, reason);
    } else if (request.path().equals(PATH) && UnaryCall.isUnary(request)) {
      answer(request, share, telemetry.beginCall(request, ENDPOINT));
    } else if (request.path().equals(Health.PATH) && UnaryCall.isUnary(request)) {
      health.check(request, share);
    } else if (isCompressed(request)) {
      // The gRPC server of Vert.x would decompress a message to any size.
      UnaryCall.refuse(request, GrpcStatus.UNIMPLEMENTED, "encoding: not one of: identity");
    } else {
      server.handle(request);
    }
  }

  private void answer(HttpServerRequest request, ByteBudget.Share share, RequestObserver seen) {
    long arrivedMicros = nowMicros();
    UnaryCall.answer(
        request,
        MessageBounds::read,
        message -> {
          check(access, request, message, "on a port that demands client certificates");
          return answer(message, arrivedMicros, seen);
        },
        this::onUnreadable,
        share);
  }

  /** Rejects a call because there are too many. */
  static void refuse(HttpServerRequest request, String reason) {
    UnaryCall.refuse(request, GrpcStatus.RESOURCE_EXHAUSTED, reason);
  }

  private static boolean isCompressed(HttpServerRequest request) {
    String encoding = request.getHeader("grpc-encoding");
    return encoding != null && !encoding.equals("identity");
  }

  Health health() {
    return health;
  }

  /** Fails all requests with {@link NotLoaded} until {@link #begin}. */
  public void hold() {
    held = true;
  }

  /** Answers requests from now on. */
  public void begin() {
    held = false;
  }

  /** Sets the status that the health service reports. */
  public void serve(boolean now) {
    health.serve(now);
  }

  /** Reports from now on that the server is not serving; calls are still answered. */
  public void stop() {
    health.stop();
  }

  /** Ends the calls of watchers, which would never end by themselves. */
  public void end() {
    health.end();
  }
}
