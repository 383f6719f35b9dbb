package dev.weir.server.action;

/**
 * An action that is in force on this server.
 *
 * @param untilNanos when it ends, by the monotonic clock
 */
record ActiveAction(Action action, long untilNanos) {}
