package dev.weir.library.status;

import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * How one rule stands towards a request that has not been made.
 *
 * @param rule the name of the rule
 * @param applies whether the rule applies to the request
 * @param reason why it does not apply; empty if it does
 * @param limits what the caller is allowed
 * @param allowed whether the rule would let the request pass now; true if it does not apply
 * @param remaining what the caller has left; empty if the rule does not apply, or if the store does
 *     not answer
 * @param retryAfter when the request would pass, if it would not pass now
 */
public record RuleState(
    String rule,
    boolean applies,
    String reason,
    String limits,
    boolean allowed,
    OptionalLong remaining,
    Optional<Duration> retryAfter) {}
