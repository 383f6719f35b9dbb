package dev.weir.benchmarks.rls;

import dev.weir.envoy.extensions.common.ratelimit.v3.RateLimitDescriptor;
import dev.weir.envoy.service.ratelimit.v3.RateLimitRequest;

/** Sample calls with two descriptors: one of many addresses, and a path with a method. */
final class SampleCalls {
  static final int ADDRESSES = 10_000;

  private SampleCalls() {}

  static RateLimitRequest call(int address) {
    return RateLimitRequest.newBuilder()
        .setDomain("bench")
        .addDescriptors(
            descriptor("remote_address", "10.1." + address / 250 + "." + (1 + address % 250)))
        .addDescriptors(
            descriptor("path", "/api/rides")
                .addEntries(entry("method", address % 2 == 0 ? "GET" : "POST")))
        .build();
  }

  private static RateLimitDescriptor.Builder descriptor(String key, String value) {
    return RateLimitDescriptor.newBuilder().addEntries(entry(key, value));
  }

  private static RateLimitDescriptor.Entry.Builder entry(String key, String value) {
    return RateLimitDescriptor.Entry.newBuilder().setKey(key).setValue(value);
  }
}
