package dev.weir.server.rls;

import dev.weir.envoy.service.ratelimit.v3.RateLimitRequest;
import dev.weir.envoy.service.ratelimit.v3.RateLimitResponse;
import dev.weir.envoy.service.ratelimit.v3.RlsProto;
import dev.weir.server.access.AccessRefused;
import dev.weir.server.access.AllowedHosts;
import dev.weir.server.access.BrowserOrigin;
import dev.weir.server.access.OperationsAccess;
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

/** Everything on the port for gRPC: the service itself, its health, and its own description. */
public final class RlsService {
  /** The name by which health is asked for, beside that of the service. */
  static final String HEALTH = "ratelimit";

  static final String PATH = "/envoy.service.ratelimit.v3.RateLimitService/ShouldRateLimit";
  private static final ServiceName NAME =
      ServiceName.create("envoy.service.ratelimit.v3.RateLimitService");
  private static final GrpcMessageDecoder<RateLimitRequest> DECODER =
      GrpcMessageDecoder.decoder(RateLimitRequest.getDefaultInstance());
  private static final ServiceMethod<RateLimitRequest, RateLimitResponse> SHOULD_RATE_LIMIT =
      ServiceMethod.server(NAME, "ShouldRateLimit", GrpcMessageEncoder.encoder(), DECODER);

  /** No page speaks gRPC, or it is asked for by an address. */
  private static final AllowedHosts PAGES = AllowedHosts.forPages("localhost", List.of());

  private final RlsEngine engine;
  private final Supplier<RlsRules> rules;
  private final OperationsAccess access;
  private final Health health = new Health(Set.of(HEALTH, NAME.fullyQualifiedName()));
  private final GrpcServer server;
  private volatile boolean waiting;

  /** There is nothing yet to decide by; which is not the same as nothing that limits. */
  public static final class NotLoaded extends RuntimeException {
    private static final long serialVersionUID = 1;

    NotLoaded() {
      super("no rate limit configuration loaded", null, false, false);
    }
  }

  /**
   * @param access who may give back, by negative hits
   */
  public RlsService(
      Vertx vertx, RlsEngine engine, Supplier<RlsRules> rules, OperationsAccess access) {
    this.engine = engine;
    this.rules = rules;
    this.access = access;
    GrpcServerOptions options =
        new GrpcServerOptions()
            .setMaxMessageSize(Health.MAX_BYTES)
            .removeEnabledProtocol(GrpcProtocol.WEB)
            .removeEnabledProtocol(GrpcProtocol.WEB_TEXT)
            .removeEnabledProtocol(GrpcProtocol.TRANSCODING);
    Service service =
        Service.service(NAME, RlsProto.getDescriptor().findServiceByName("RateLimitService"))
            .bind(SHOULD_RATE_LIMIT, RlsService::unspoken)
            .build();
    this.server =
        GrpcServer.server(vertx, options)
            .addService(service)
            .addService(health.service())
            .addService(ReflectionService.v1());
  }

  /** A call that is not {@link UnaryCall#isOne one of ours}: its messages are in JSON, perhaps. */
  static void unspoken(GrpcServerRequest<?, ?> request) {
    String reason = "content-type: not spoken here (expected: application/grpc)";
    var unused = request.response().status(GrpcStatus.UNIMPLEMENTED).statusMessage(reason).end();
  }

  /** The time of {@link RlsEngine#nowMicros}, for requests that begin to arrive. */
  public long nowMicros() {
    return engine.nowMicros();
  }

  /**
   * The answer to a message, however it came.
   *
   * @param arrivedMicros when the headers of the request arrived, by {@link #nowMicros}
   * @throws RlsRequest.Refused if it makes no sense
   * @throws NotLoaded if it cannot be answered yet
   */
  public CompletionStage<RateLimitResponse> answer(RateLimitRequest message, long arrivedMicros) {
    return decide(message, arrivedMicros, reply -> response(message, reply));
  }

  /** The same, before it is put into a {@link #response}. */
  public CompletionStage<RlsReply> decide(RateLimitRequest message, long arrivedMicros) {
    return decide(message, arrivedMicros, reply -> reply);
  }

  public RateLimitResponse response(RateLimitRequest message, RlsReply reply) {
    return RlsCodec.response(message, reply, engine.settings());
  }

  private <T> CompletionStage<T> decide(
      RateLimitRequest message, long arrivedMicros, Function<RlsReply, T> told) {
    RlsWatcher watcher = engine.watcher();
    if (waiting) {
      watcher.failed();
      throw new NotLoaded();
    }
    try {
      return engine
          .decide(rules.get(), RlsCodec.request(message), arrivedMicros)
          .handle(
              (reply, failure) -> {
                if (failure != null) {
                  watcher.failed();
                  throw failure instanceof CompletionException known
                      ? known
                      : new CompletionException(failure);
                }
                return told.apply(reply);
              });
    } catch (RlsRequest.Refused e) {
      watcher.refused();
      throw e;
    } catch (RuntimeException e) {
      watcher.failed();
      throw e;
    }
  }

  /**
   * Looks whether whoever sent a message may give back what it does, if it does.
   *
   * @param elsewhere where that needs no token
   * @throws AccessRefused if not; nothing of it is counted then
   */
  public void check(
      OperationsAccess who, HttpServerRequest request, RateLimitRequest message, String elsewhere) {
    if (RlsCodec.isRefund(message)) {
      try {
        who.check(request, "hits: negative", elsewhere);
      } catch (AccessRefused e) {
        engine.watcher().refused();
        throw e;
      }
    }
  }

  /** Notes that something came which is no message. */
  public void unread() {
    engine.watcher().refused();
  }

  /**
   * Answers a call.
   *
   * @param share what the message may keep while it arrives
   */
  public void handle(HttpServerRequest request, ByteBudget.Share share) {
    if (BrowserOrigin.foreign(request, PAGES).isPresent()) {
      String reason = "Origin: of another site (expected: none)";
      UnaryCall.refuse(request, GrpcStatus.PERMISSION_DENIED, reason);
    } else if (request.path().equals(PATH) && UnaryCall.isOne(request)) {
      long arrivedMicros = nowMicros();
      UnaryCall.answer(
          request,
          MessageBounds::read,
          message -> {
            check(access, request, message, "on a port that demands client certificates");
            return answer(message, arrivedMicros);
          },
          this::unread,
          share);
    } else if (request.path().equals(Health.PATH) && UnaryCall.isOne(request)) {
      health.check(request, share);
    } else if (isCompressed(request)) {
      // The server of Vert.x would decompress whatever comes, to any size.
      UnaryCall.refuse(request, GrpcStatus.UNIMPLEMENTED, "encoding: not one of: identity");
    } else {
      server.handle(request);
    }
  }

  /** Answers a call of which there are too many. */
  public static void refuse(HttpServerRequest request, String reason) {
    UnaryCall.refuse(request, GrpcStatus.RESOURCE_EXHAUSTED, reason);
  }

  private static boolean isCompressed(HttpServerRequest request) {
    String encoding = request.getHeader("grpc-encoding");
    return encoding != null && !encoding.equals("identity");
  }

  Health health() {
    return health;
  }

  /** Answers nobody until {@link #begin}. */
  public void hold() {
    waiting = true;
  }

  public void begin() {
    waiting = false;
  }

  /** Says from now on whether calls may come; the health of gRPC tells it. */
  public void serve(boolean now) {
    health.serve(now);
  }

  /** Says that no more calls may come, though they are still answered. */
  public void stop() {
    health.stop();
  }

  /** Ends the calls that would never end. */
  public void end() {
    health.end();
  }
}
