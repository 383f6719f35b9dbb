package dev.weir.server.telemetry;

/**
 * The span of one decision. Immutable.
 *
 * @param trace that it is part of
 * @param spanId its own identifier
 * @param record what it says
 */
public record Span(TraceContext trace, long spanId, DecisionRecord record) {}
