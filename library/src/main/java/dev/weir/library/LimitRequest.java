package dev.weir.library;

/** A request to one limiter for one key; make it with {@link RateLimiter#request}. */
public record LimitRequest(RateLimiter limiter, String key) {}
