package dev.weir.server.rls;

import dev.weir.rule.Rule.WhenStoreFails;
import dev.weir.server.rls.RlsReply.Current;
import org.jspecify.annotations.Nullable;

/**
 * What holds for a limit that applies.
 *
 * @param told how clients are told of it; null for a caller who is let through never
 * @param shadow whether it denies nobody
 */
record Terms(
    @Nullable Current told,
    WhenStoreFails whenStoreFails,
    int priority,
    boolean shadow,
    Role role) {}
