package dev.weir.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.UInt64Value;
import com.google.protobuf.UnknownFieldSet;
import io.envoyproxy.envoy.extensions.common.ratelimit.v3.RateLimitDescriptor;
import io.envoyproxy.envoy.extensions.common.ratelimit.v3.RateLimitDescriptor.RateLimitOverride;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitRequest;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitResponse;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitResponse.Code;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitServiceGrpc;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.grpc.stub.MetadataUtils;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A gRPC client with Envoy's own messages, on one connection. */
public final class RlsClient implements RlsCaller {
  private static final int SECONDS = 60;

  /** The field of a descriptor that makes it a refund; newer than the generated class. */
  private static final int IS_NEGATIVE_HITS = 4;

  public final ManagedChannel channel;

  /** A client with the operations token of the tests. */
  public RlsClient(int port) {
    this(port, "Bearer " + TestServer.OPERATIONS);
  }

  /**
   * Connects.
   *
   * @param authorization the header; empty for none
   */
  RlsClient(int port, String authorization) {
    Metadata metadata = new Metadata();
    if (!authorization.isEmpty()) {
      metadata.put(
          Metadata.Key.of("authorization", Metadata.ASCII_STRING_MARSHALLER), authorization);
    }
    channel =
        NettyChannelBuilder.forAddress("127.0.0.1", port)
            .usePlaintext()
            .maxInboundMessageSize(64 << 20)
            .intercept(MetadataUtils.newAttachHeadersInterceptor(metadata))
            .build();
  }

  /** A client without a token. */
  static RlsClient anonymous(int port) {
    return new RlsClient(port, "");
  }

  RateLimitServiceGrpc.RateLimitServiceBlockingStub stub() {
    return RateLimitServiceGrpc.newBlockingStub(channel)
        .withDeadlineAfter(SECONDS, TimeUnit.SECONDS);
  }

  @Override
  public RateLimitResponse ask(RateLimitRequest.Builder request) {
    return stub().shouldRateLimit(request.build());
  }

  @Override
  public String complaint(RateLimitRequest.Builder request) {
    Status refused = refused(request);
    assertThat(refused.getCode()).isEqualTo(Status.Code.INVALID_ARGUMENT);
    return String.valueOf(refused.getDescription());
  }

  /** The status of a call that fails. */
  Status refused(RateLimitRequest.Builder request) {
    try {
      throw new AssertionError(ask(request).toString());
    } catch (StatusRuntimeException e) {
      return e.getStatus();
    }
  }

  static RateLimitRequest.Builder request(RateLimitDescriptor.Builder... descriptors) {
    RateLimitRequest.Builder request = RateLimitRequest.newBuilder().setDomain("shop");
    for (RateLimitDescriptor.Builder descriptor : descriptors) {
      request.addDescriptors(descriptor);
    }
    return request;
  }

  /** A descriptor of alternating keys and values. */
  static RateLimitDescriptor.Builder about(String... words) {
    RateLimitDescriptor.Builder descriptor = RateLimitDescriptor.newBuilder();
    for (int i = 0; i < words.length; i += 2) {
      descriptor.addEntriesBuilder().setKey(words[i]).setValue(words[i + 1]);
    }
    return descriptor;
  }

  static RateLimitDescriptor.Builder costing(long hits, String... words) {
    return about(words).setHitsAddend(UInt64Value.of(hits));
  }

  static RateLimitDescriptor.Builder refunding(long hits, String... words) {
    UnknownFieldSet.Field yes = UnknownFieldSet.Field.newBuilder().addVarint(1).build();
    return costing(hits, words)
        .setUnknownFields(UnknownFieldSet.newBuilder().addField(IS_NEGATIVE_HITS, yes).build());
  }

  /** Sets the unit by number, because the generated class does not have all units. */
  static RateLimitDescriptor.Builder limited(int requests, int unit, String... words) {
    return about(words)
        .setLimit(RateLimitOverride.newBuilder().setRequestsPerUnit(requests).setUnitValue(unit));
  }

  /** The codes in a reply, the overall one first. */
  static List<Code> codes(RateLimitResponse response) {
    return java.util.stream.Stream.concat(
            java.util.stream.Stream.of(response.getOverallCode()),
            response.getStatusesList().stream().map(RateLimitResponse.DescriptorStatus::getCode))
        .toList();
  }

  static List<Integer> remaining(RateLimitResponse response) {
    return response.getStatusesList().stream()
        .map(RateLimitResponse.DescriptorStatus::getLimitRemaining)
        .toList();
  }

  @Override
  public void close() {
    channel.shutdownNow();
    try {
      channel.awaitTermination(5, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
