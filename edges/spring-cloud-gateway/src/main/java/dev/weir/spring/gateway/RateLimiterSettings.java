package dev.weir.spring.gateway;

/**
 * The arguments of the filter {@code RequestRateLimiter} for one route, as the gateway's own
 * limiter has them. Not thread-safe.
 */
public final class RateLimiterSettings {
  private int replenishRate;
  private long burstCapacity = 1;
  private int requestedTokens = 1;

  /** Requests per second. */
  public int getReplenishRate() {
    return replenishRate;
  }

  /**
   * Sets the requests per second.
   *
   * @throws IllegalArgumentException if it is less than 1
   */
  public void setReplenishRate(int rate) {
    this.replenishRate = atLeast("replenishRate", rate, 1);
  }

  /** Requests that may come at once. */
  public long getBurstCapacity() {
    return burstCapacity;
  }

  /**
   * Sets the requests that may come at once; none pass if it is 0.
   *
   * @throws IllegalArgumentException if it is less than 0
   */
  public void setBurstCapacity(long capacity) {
    this.burstCapacity = atLeast("burstCapacity", capacity, 0);
  }

  /** What a request costs. */
  public int getRequestedTokens() {
    return requestedTokens;
  }

  /**
   * Sets what a request costs.
   *
   * @throws IllegalArgumentException if it is less than 1
   */
  public void setRequestedTokens(int tokens) {
    this.requestedTokens = atLeast("requestedTokens", tokens, 1);
  }

  private static <T extends Number> T atLeast(String name, T value, long least) {
    if (value.longValue() < least) {
      throw new IllegalArgumentException(
          "redis-rate-limiter." + name + ": " + value + " (expected: at least " + least + ")");
    }
    return value;
  }

  @Override
  public String toString() {
    return replenishRate + " per second, burst " + burstCapacity + ", cost " + requestedTokens;
  }
}
