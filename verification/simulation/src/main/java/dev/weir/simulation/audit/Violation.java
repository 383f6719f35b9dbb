package dev.weir.simulation.audit;

/**
 * A broken invariant.
 *
 * @param nanos when it was broken
 * @param account the counter, request or server that it concerns
 */
public record Violation(Invariant invariant, long nanos, String account, String description) {}
