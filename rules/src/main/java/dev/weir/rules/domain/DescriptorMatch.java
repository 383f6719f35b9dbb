package dev.weir.rules.domain;

import java.util.List;

/**
 * The rule that a request's descriptor matches, and what it counts under.
 *
 * @param rule that applies
 * @param counted the identity of the counter: for each entry its key and its value, or the pattern
 *     that shares one counter among all values it matches
 * @param metric the name of the metrics without the domain, as {@code key_value.key}
 */
public record DescriptorMatch(DomainRule rule, List<Entry> counted, String metric) {}
