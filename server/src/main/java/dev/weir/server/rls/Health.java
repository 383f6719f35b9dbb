package dev.weir.server.rls;

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
 * May calls come? Answered at once, and again to those who watch when it changes.
 *
 * <p>The one that Vert.x has would always say yes for the server as a whole, also while it stops.
 */
final class Health {
  /** What a call of the question at hand is addressed to. */
  static final String PATH = "/grpc.health.v1.Health/Check";

  /** The largest message: a name, for which this is ample. */
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
   * @param services the names that it answers to, beside none
   */
  Health(Set<String> services) {
    this.services = services;
  }

  Service service() {
    return Service.service(NAME, HealthProto.getDescriptor().findServiceByName("Health"))
        .bind(CHECK, RlsService::unspoken)
        .bind(WATCH, this::watch)
        .build();
  }

  void check(HttpServerRequest request, ByteBudget.Share share) {
    UnaryCall.answer(
        request,
        Health::read,
        asked -> {
          ServingStatus status = status(asked.getService());
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
    AtomicBoolean asking = new AtomicBoolean();
    request.handler(
        asked -> {
          if (!asking.compareAndSet(false, true)) {
            return; // One question is answered for as long as the call lasts.
          }
          Watch watch = new Watch(asked.getService(), request.response(), context);
          // A call is taken back in one way, and lost with its connection in another.
          request.errorHandler(gone -> watches.remove(watch));
          request.response().exceptionHandler(gone -> watches.remove(watch));
          watches.add(watch);
          watch.tell();
          if (ended) {
            watch.end();
          }
        });
  }

  /** Says from now on whether calls may come. */
  void serve(boolean now) {
    serving = now;
    tell();
  }

  /** Says from now on, and for good, that none may come. */
  void stop() {
    stopped = true;
    tell();
  }

  private void tell() {
    watches.forEach(watch -> watch.context.runOnContext(now -> watch.tell()));
  }

  /** Ends the calls of those who watch: nobody waits for a call that never ends. */
  void end() {
    ended = true;
    watches.forEach(watch -> watch.context.runOnContext(now -> watch.end()));
  }

  /** How many watch. */
  int watching() {
    return watches.size();
  }

  /** Somebody who wants to know of changes. */
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

    void tell() {
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
