package dev.weir.replay.result;

/**
 * Requests and denials of one group.
 *
 * @param grouping what it is a group of
 * @param name the route, with {@code *} for what differs; or the kind of callers
 * @param requests how many
 * @param denied how many of them would have been denied
 */
public record GroupOutcomes(Grouping grouping, String name, long requests, long denied) {}
