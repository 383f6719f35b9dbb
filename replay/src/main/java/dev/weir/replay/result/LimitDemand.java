package dev.weir.replay.result;

import java.util.Optional;

/**
 * What callers asked of one limit, in fixed windows of its length.
 *
 * @param policy the name of the limit
 * @param limit in the notation of rules files
 * @param algorithm in the notation of rules files
 * @param permits how many the limit grants in a window, or at the same time
 * @param windowMicros the window; for concurrency permits their expiry
 * @param rates what callers asked for in a window; empty for concurrency permits
 */
public record LimitDemand(
    String policy,
    String limit,
    String algorithm,
    long permits,
    long windowMicros,
    Optional<WindowRates> rates) {}
