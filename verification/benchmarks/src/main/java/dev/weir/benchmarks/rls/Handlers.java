package dev.weir.benchmarks.rls;

import static java.util.Objects.requireNonNull;

import dev.weir.envoy.extensions.common.ratelimit.v3.RateLimitDescriptor;
import dev.weir.envoy.service.ratelimit.v3.RateLimitRequest;
import dev.weir.envoy.service.ratelimit.v3.RateLimitResponse;
import dev.weir.envoy.service.ratelimit.v3.RateLimitResponse.Code;
import dev.weir.envoy.service.ratelimit.v3.RateLimitResponse.DescriptorStatus;
import dev.weir.envoy.service.ratelimit.v3.RateLimitResponse.RateLimit;
import io.lettuce.core.RedisClient;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.api.StatefulRedisConnection;
import io.vertx.core.DeploymentOptions;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.VerticleBase;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.grpc.common.GrpcMessageDecoder;
import io.vertx.grpc.common.GrpcMessageEncoder;
import io.vertx.grpc.common.ServiceMethod;
import io.vertx.grpc.common.ServiceName;
import io.vertx.grpc.server.GrpcServer;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;

/** Minimal services on the same stack as Weir, for comparison. */
final class Handlers {
  private static final ServiceMethod<RateLimitRequest, RateLimitResponse> METHOD =
      ServiceMethod.server(
          ServiceName.create("envoy.service.ratelimit.v3.RateLimitService"),
          "ShouldRateLimit",
          GrpcMessageEncoder.encoder(),
          GrpcMessageDecoder.decoder(RateLimitRequest.getDefaultInstance()));

  private static final long LIMIT = 4_000_000_000L;
  private static final long HOUR_SECONDS = 3_600;

  private Handlers() {}

  /** Starts a server that allows everything and does nothing else; returns its port. */
  static int empty(Vertx vertx) {
    return serve(
        vertx,
        request -> {
          RateLimitResponse.Builder answer = RateLimitResponse.newBuilder().setOverallCode(Code.OK);
          for (int i = 0; i < request.getDescriptorsCount(); i++) {
            answer.addStatuses(DescriptorStatus.newBuilder().setCode(Code.OK));
          }
          return Future.succeededFuture(answer.build());
        });
  }

  /** Starts a server that counts each call by one script call; returns its port. */
  static int evalsha(Vertx vertx, RedisClient client) throws IOException {
    StatefulRedisConnection<String, String> connection = client.connect();
    String script;
    try (InputStream in = Handlers.class.getResourceAsStream("count.lua")) {
      script = new String(requireNonNull(in, "count.lua").readAllBytes(), StandardCharsets.UTF_8);
    }
    String sha = connection.sync().scriptLoad(script);
    return serve(
        vertx,
        request -> {
          long window = System.currentTimeMillis() / 1_000 / HOUR_SECONDS;
          String[] keys = new String[request.getDescriptorsCount()];
          for (int i = 0; i < keys.length; i++) {
            keys[i] = key(request.getDomain(), request.getDescriptors(i), window);
          }
          Promise<List<Long>> counts = Promise.promise();
          connection
              .async()
              .<List<Long>>evalsha(
                  sha, ScriptOutputType.MULTI, keys, "1", Long.toString(HOUR_SECONDS))
              .whenComplete(
                  (result, failure) -> {
                    if (failure == null) {
                      counts.complete(result);
                    } else {
                      counts.fail(failure);
                    }
                  });
          return counts.future().map(Handlers::answer);
        });
  }

  private static String key(String domain, RateLimitDescriptor descriptor, long window) {
    StringBuilder key = new StringBuilder(domain);
    for (RateLimitDescriptor.Entry entry : descriptor.getEntriesList()) {
      key.append('_').append(entry.getKey()).append('_').append(entry.getValue());
    }
    return key.append('_').append(window).toString();
  }

  private static RateLimitResponse answer(List<Long> counts) {
    RateLimitResponse.Builder answer = RateLimitResponse.newBuilder();
    boolean over = false;
    for (long count : counts) {
      over |= count > LIMIT;
      answer.addStatuses(
          DescriptorStatus.newBuilder()
              .setCode(count > LIMIT ? Code.OVER_LIMIT : Code.OK)
              .setCurrentLimit(
                  RateLimit.newBuilder()
                      .setRequestsPerUnit((int) LIMIT)
                      .setUnit(RateLimit.Unit.HOUR))
              .setLimitRemaining((int) (LIMIT - count)));
    }
    return answer.setOverallCode(over ? Code.OVER_LIMIT : Code.OK).build();
  }

  private static int serve(
      Vertx vertx, Function<RateLimitRequest, Future<RateLimitResponse>> handler) {
    AtomicInteger port = new AtomicInteger();
    vertx
        .deployVerticle(
            () ->
                new VerticleBase() {
                  @Override
                  public Future<?> start() {
                    GrpcServer grpc = GrpcServer.server(vertx);
                    grpc.callHandler(
                        METHOD,
                        call ->
                            call.handler(
                                request -> handler.apply(request).onSuccess(call.response()::end)));
                    return vertx
                        .createHttpServer(new HttpServerOptions().setPort(-port(handler)))
                        .requestHandler(grpc)
                        .listen()
                        .onSuccess(listening -> port.set(listening.actualPort()));
                  }
                },
            new DeploymentOptions().setInstances(Runtime.getRuntime().availableProcessors()))
        .await();
    return port.get();
  }

  /** Vert.x takes a negative port as any free one, the same for all servers with that number. */
  private static int port(Object handler) {
    return 1 + (System.identityHashCode(handler) & 0x3FFF);
  }
}
