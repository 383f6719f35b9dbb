package dev.weir.server.grpc;

import com.google.protobuf.InvalidProtocolBufferException;
import dev.weir.server.transport.ByteBudget;
import io.vertx.core.Context;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.grpc.common.GrpcMessageDecoder;
import io.vertx.grpc.common.GrpcMessageEncoder;
import io.vertx.grpc.common.GrpcStatus;
import io.vertx.grpc.common.ServiceMethod;
import io.vertx.grpc.common.ServiceName;
import io.vertx.grpc.health.v1.HealthCheckRequest;
import io.vertx.grpc.health.v1.HealthCheckResponse;
import io.vertx.grpc.health.v1.HealthCheckResponse.ServingStatus;
import io.vertx.grpc.health.v1.HealthProto;
import io.vertx.grpc.server.GrpcServerRequest;
import io.vertx.grpc.server.GrpcServerResponse;
import io.vertx.grpc.server.Service;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * The gRPC health service: answers checks, and notifies watchers of each change. Safe for use by
 * any number of threads.
 *
 * <p>The health service of Vert.x would always report the server as a whole as serving, also while
 * it stops.
 */
final class Health {
  /** The path of a check. */
  static final String PATH = "/grpc.health.v1.Health/Check";

  /** The maximum size of a message, which is a name: this is ample. */
  static final int MAX_BYTES = 16 << 10;

  private static final ServiceName NAME = ServiceName.create("grpc.health.v1.Health");
  private static final GrpcMessageDecoder<HealthCheckRequest> DECODER =
      GrpcMessageDecoder.decoder(HealthCheckRequest.getDefaultInstance());
  private static final ServiceMethod<HealthCheckRequest, HealthCheckResponse> CHECK =
      ServiceMethod.server(NAME, "Check", GrpcMessageEncoder.encoder(), DECODER);
  private static final ServiceMethod<HealthCheckRequest, HealthCheckResponse> WATCH =
      ServiceMethod.server(NAME, "Watch", GrpcMessageEncoder.encoder(), DECODER);

  private final Set<String> services;
  private final Set<Watch> watches = ConcurrentHashMap.newKeySet();
  private volatile boolean serving = true;
  private volatile boolean stopped;
  private volatile boolean ended;

  /**
   * @param services the service names that it knows, beside the empty one
   */
  Health(Set<String> services) {
    this.services = services;
  }

  Service service() {
    return Service.service(NAME, HealthProto.getDescriptor().findServiceByName("Health"))
        .bind(CHECK, RlsService::rejectContentType)
        .bind(WATCH, this::watch)
        .build();
  }

  void check(HttpServerRequest request, ByteBudget.Share share) {
    UnaryCall.answer(
        request,
        Health::read,
        message -> {
          ServingStatus status = status(message.getService());
          if (status == ServingStatus.SERVICE_UNKNOWN) {
            throw new UnaryCall.Failed(GrpcStatus.NOT_FOUND, "no such service");
          }
          return CompletableFuture.completedStage(response(status));
        },
        () -> {},
        share);
  }

  private static HealthCheckRequest read(byte[] message) throws InvalidProtocolBufferException {
    if (message.length > MAX_BYTES) {
      throw new UnaryCall.Failed(
          GrpcStatus.RESOURCE_EXHAUSTED,
          "message: too large (expected: at most " + MAX_BYTES + " bytes)");
    }
    return HealthCheckRequest.parseFrom(message);
  }

  private ServingStatus status(String service) {
    if (!service.isEmpty() && !services.contains(service)) {
      return ServingStatus.SERVICE_UNKNOWN;
    }
    return serving && !stopped ? ServingStatus.SERVING : ServingStatus.NOT_SERVING;
  }

  private static HealthCheckResponse response(ServingStatus status) {
    return HealthCheckResponse.newBuilder().setStatus(status).build();
  }

  private void watch(GrpcServerRequest<HealthCheckRequest, HealthCheckResponse> request) {
    Context context = Objects.requireNonNull(Vertx.currentContext());
    AtomicBoolean watching = new AtomicBoolean();
    request.handler(
        message -> {
          if (!watching.compareAndSet(false, true)) {
            return; // The first message is answered for as long as the call lasts.
          }
          Watch watch = new Watch(message.getService(), request.response(), context);
          // A cancelled call reports to the one handler, a lost connection to the other.
          request.errorHandler(gone -> watches.remove(watch));
          request.response().exceptionHandler(gone -> watches.remove(watch));
          watches.add(watch);
          watch.sendStatus();
          if (ended) {
            watch.end();
          }
        });
  }

  /** Sets whether the server is serving, and notifies watchers. */
  void serve(boolean now) {
    serving = now;
    sendStatus();
  }

  /** Reports from now on, and for good, that the server is not serving. */
  void stop() {
    stopped = true;
    sendStatus();
  }

  private void sendStatus() {
    watches.forEach(watch -> watch.context.runOnContext(now -> watch.sendStatus()));
  }

  /** Ends the calls of watchers, which would never end by themselves. */
  void end() {
    ended = true;
    watches.forEach(watch -> watch.context.runOnContext(now -> watch.end()));
  }

  /** The number of watchers. */
  int watching() {
    return watches.size();
  }

  /** A client that watches the status. */
  private final class Watch {
    private final String service;
    private final GrpcServerResponse<HealthCheckRequest, HealthCheckResponse> response;
    private final Context context;

    Watch(
        String service,
        GrpcServerResponse<HealthCheckRequest, HealthCheckResponse> response,
        Context context) {
      this.service = service;
      this.response = response;
      this.context = context;
    }

    void sendStatus() {
      if (watches.contains(this)) {
        var unused = response.write(response(status(service)));
      }
    }

    void end() {
      if (watches.remove(this)) {
        var unused = response.status(GrpcStatus.UNAVAILABLE).statusMessage("stopping").end();
      }
    }
  }
}
