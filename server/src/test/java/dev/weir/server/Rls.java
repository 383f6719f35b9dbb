package dev.weir.server;

import io.envoyproxy.envoy.extensions.common.ratelimit.v3.RateLimitDescriptor;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitRequest;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitResponse;

/** The service, in whatever language it is asked. */
interface Rls extends AutoCloseable {
  RateLimitResponse ask(RateLimitRequest.Builder request);

  default RateLimitResponse ask(RateLimitDescriptor.Builder... descriptors) {
    return ask(RlsClient.request(descriptors));
  }

  /** What is wrong with a request, says the service: it has to be the fault of the client. */
  String complaint(RateLimitRequest.Builder request);

  @Override
  void close();
}
