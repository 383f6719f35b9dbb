package dev.weir.replay.run;

import dev.weir.Descriptor;
import dev.weir.replay.log.LogEntry;
import dev.weir.rule.book.Match;

/**
 * A request that is read and matched once, and decided in each run. Immutable.
 *
 * @param entry the line of the log
 * @param values what the rules read of it
 * @param match what the rules charge
 * @param caller the hash of its caller
 * @param callerName the index of the caller's name
 * @param kind the group of its kind of caller
 * @param route the hash of its route
 */
record PreparedRequest(
    LogEntry entry,
    Descriptor values,
    Match match,
    long caller,
    int callerName,
    long kind,
    long route) {}
