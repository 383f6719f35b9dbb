package dev.weir.server.rls;

import dev.weir.rule.FailureMode;
import dev.weir.server.rls.RlsReply.Current;
import org.jspecify.annotations.Nullable;

/**
 * The terms under which a limit applies.
 *
 * @param current the limit as clients see it; null for a caller that is always blocked
 * @param shadow whether it denies nothing
 */
record LimitTerms(
    @Nullable Current current, FailureMode failureMode, int priority, boolean shadow, Role role) {}
