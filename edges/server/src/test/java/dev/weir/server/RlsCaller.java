package dev.weir.server;

import io.envoyproxy.envoy.extensions.common.ratelimit.v3.RateLimitDescriptor;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitRequest;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitResponse;

/** A client of the rate limit service, over gRPC or JSON. */
interface RlsCaller extends AutoCloseable {
  RateLimitResponse ask(RateLimitRequest.Builder request);

  default RateLimitResponse ask(RateLimitDescriptor.Builder... descriptors) {
    return ask(RlsClient.request(descriptors));
  }

  /** The error of the service for a request, which must be a client error. */
  String complaint(RateLimitRequest.Builder request);

  @Override
  void close();
}
