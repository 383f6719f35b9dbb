package dev.weir.server.action;

import java.time.Duration;
import java.util.Optional;

/**
 * An action in force on this server. Immutable.
 *
 * @param left until it ends
 * @param idle why it has no effect on the rules of this server, if it has none
 */
public record ListedAction(Action action, Duration left, Optional<String> idle) {}
