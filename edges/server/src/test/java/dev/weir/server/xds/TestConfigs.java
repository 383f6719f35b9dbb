package dev.weir.server.xds;

import dev.weir.envoy.ratelimit.config.v3.RateLimitConfig;
import dev.weir.envoy.ratelimit.config.v3.RateLimitDescriptor;
import dev.weir.envoy.ratelimit.config.v3.RateLimitPolicy;
import dev.weir.envoy.ratelimit.config.v3.RateLimitUnit;

/** Configuration messages for tests. */
public final class TestConfigs {
  private TestConfigs() {}

  public static RateLimitConfig config(
      String name, String domain, RateLimitDescriptor.Builder... descriptors) {
    RateLimitConfig.Builder config = RateLimitConfig.newBuilder().setName(name).setDomain(domain);
    for (RateLimitDescriptor.Builder descriptor : descriptors) {
      config.addDescriptors(descriptor);
    }
    return config.build();
  }

  public static RateLimitDescriptor.Builder descriptor(String key, String value) {
    return RateLimitDescriptor.newBuilder().setKey(key).setValue(value);
  }

  public static RateLimitDescriptor.Builder limited(String key, int requests, RateLimitUnit unit) {
    return descriptor(key, "")
        .setRateLimit(RateLimitPolicy.newBuilder().setRequestsPerUnit(requests).setUnit(unit));
  }

  /** A domain with one descriptor and a daily limit. */
  public static RateLimitConfig daily(String domain, int requests) {
    return config(domain + ".cfg", domain, limited("one", requests, RateLimitUnit.DAY));
  }
}
