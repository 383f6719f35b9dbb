package dev.weir.server;

import static dev.weir.rules.domain.TestDomains.at;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.DescriptorProtos.FileDescriptorProto;
import dev.weir.memory.MemoryStore;
import dev.weir.rules.domain.DomainBook;
import dev.weir.rules.domain.TestDomains;
import dev.weir.rules.domain.Unit;
import dev.weir.server.settings.ServerSettings;
import dev.weir.testkit.Effort;
import io.grpc.StatusRuntimeException;
import io.grpc.health.v1.HealthCheckRequest;
import io.grpc.health.v1.HealthCheckResponse;
import io.grpc.health.v1.HealthCheckResponse.ServingStatus;
import io.grpc.health.v1.HealthGrpc;
import io.grpc.reflection.v1.ServerReflectionGrpc;
import io.grpc.reflection.v1.ServerReflectionRequest;
import io.grpc.reflection.v1.ServerReflectionResponse;
import io.grpc.reflection.v1.ServiceResponse;
import io.grpc.stub.StreamObserver;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The other services on the gRPC port: health and reflection. */
@Timeout(300)
class RlsHealthTest {
  private static final String SERVICE = "envoy.service.ratelimit.v3.RateLimitService";
  private static final DomainBook DOMAINS = TestDomains.book("shop", at("one").per(1, Unit.DAY));

  private static TestServer served(ServerSettings settings) {
    return TestServer.with(RlsContract.NO_RULES, settings, new MemoryStore(), DOMAINS);
  }

  private static HealthCheckRequest named(String service) {
    return HealthCheckRequest.newBuilder().setService(service).build();
  }

  @Test
  void healthIsReportedUnderEachName() {
    try (TestServer served = served(ServerSettings.DEFAULT);
        RlsClient client = new RlsClient(served.server.grpcPort())) {
      HealthGrpc.HealthBlockingStub health = HealthGrpc.newBlockingStub(client.channel);
      for (String name : List.of("", "ratelimit", SERVICE)) {
        assertThat(health.check(named(name)).getStatus()).isEqualTo(ServingStatus.SERVING);
      }
      assertThatThrownBy(() -> health.check(named("s3cret")))
          .isInstanceOf(StatusRuntimeException.class)
          .hasMessage("NOT_FOUND: no such service");
    }
  }

  @Test
  void watchersSeeTheStopAndDoNotDelayIt() {
    TestServer served = served(ServerSettings.DEFAULT);
    try (RlsClient client = new RlsClient(served.server.grpcPort())) {
      Iterator<HealthCheckResponse> watch =
          HealthGrpc.newBlockingStub(client.channel).watch(named("ratelimit"));
      Iterator<HealthCheckResponse> unknown =
          HealthGrpc.newBlockingStub(client.channel).watch(named("unknown"));
      assertThat(watch.next().getStatus()).isEqualTo(ServingStatus.SERVING);
      assertThat(unknown.next().getStatus()).isEqualTo(ServingStatus.SERVICE_UNKNOWN);
      long start = System.nanoTime();
      CompletableFuture<Void> closed = CompletableFuture.runAsync(served::close);
      assertThat(watch.next().getStatus()).isEqualTo(ServingStatus.NOT_SERVING);
      assertThatThrownBy(watch::hasNext).hasMessageContaining("UNAVAILABLE");
      closed.join();
      if (Effort.isThorough()) {
        assertThat(System.nanoTime() - start).isLessThan(TimeUnit.SECONDS.toNanos(8));
      }
    }
  }

  @Test
  void reflectionDescribesTheService() throws Exception {
    try (TestServer served = served(ServerSettings.DEFAULT);
        RlsClient client = new RlsClient(served.server.grpcPort())) {
      ServerReflectionResponse list =
          reflect(client, ServerReflectionRequest.newBuilder().setListServices("").build());
      assertThat(list.getListServicesResponse().getServiceList())
          .extracting(ServiceResponse::getName)
          .contains(SERVICE, "grpc.health.v1.Health");
      ServerReflectionResponse files =
          reflect(
              client,
              ServerReflectionRequest.newBuilder().setFileContainingSymbol(SERVICE).build());
      FileDescriptorProto file =
          FileDescriptorProto.parseFrom(
              files.getFileDescriptorResponse().getFileDescriptorProto(0));
      assertThat(file.getPackage()).isEqualTo("envoy.service.ratelimit.v3");
      assertThat(file.getService(0).getMethod(0).getName()).isEqualTo("ShouldRateLimit");
    }
  }

  private static ServerReflectionResponse reflect(RlsClient client, ServerReflectionRequest request)
      throws InterruptedException {
    BlockingQueue<Object> answers = new LinkedBlockingQueue<>();
    StreamObserver<ServerReflectionRequest> requests =
        ServerReflectionGrpc.newStub(client.channel)
            .serverReflectionInfo(
                new StreamObserver<>() {
                  @Override
                  public void onNext(ServerReflectionResponse answer) {
                    answers.add(answer);
                  }

                  @Override
                  public void onError(Throwable failure) {
                    answers.add(failure);
                  }

                  @Override
                  public void onCompleted() {}
                });
    requests.onNext(request);
    Object answer = answers.poll(60, TimeUnit.SECONDS);
    requests.onCompleted();
    assertThat(answer).isInstanceOf(ServerReflectionResponse.class);
    return (ServerReflectionResponse) answer;
  }

  @Test
  void noServiceWithoutGrpcPort() {
    ServerSettings off = ServerSettings.DEFAULT.withPorts(0, ServerSettings.OFF, 0);
    try (TestServer served = served(off)) {
      assertThat(served.server.grpcPort()).isEqualTo(ServerSettings.OFF);
      assertThat(served.get("/healthcheck").statusCode()).isEqualTo(200);
    }
  }
}
